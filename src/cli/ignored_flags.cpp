#include "cli/ignored_flags.h"
#include "cli/tell.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <array>
#include <cstdio>

namespace tare::cli {
namespace {

constexpr std::string_view kNothingSent =
    "nothing is sent anywhere; results.json and samples_*.jsonl have the layout that such loggers "
    "read";
constexpr std::string_view kNoBatch = "no result depends on how requests are batched";

constexpr std::array kIgnored{
    IgnoredFlag{"--max-batch-size", Arity::one, kNoBatch},
    IgnoredFlag{
        "--device", Arity::one,
        "the CPU computes; with a llama.cpp built for a GPU, --model gguf:PATH,gpu_layers=N "
        "puts layers there"},
    IgnoredFlag{"--cache-requests", Arity::optional,
                "prompts are built anew in each run, so that they cannot be stale"},
    IgnoredFlag{
        "--check-integrity", Arity::none,
        "each run checks its tasks whole before the model loads; tare validate does so alone"},
    IgnoredFlag{"--trust-remote-code", Arity::none,
                "no code of a data set or of a model is ever run"},
    IgnoredFlag{"--verbosity,-v", Arity::one, "--quiet leaves out progress and table"},
    IgnoredFlag{"--wandb-args", Arity::many, kNothingSent},
    IgnoredFlag{"--wandb-config-args", Arity::many, kNothingSent},
    IgnoredFlag{"--trackio-args", Arity::many, kNothingSent},
    IgnoredFlag{"--hf-hub-log-args", Arity::many, kNothingSent},
};

constexpr const char* kGroup = "Without effect here (docs/guide/from-lm-eval.md)";

std::string first_name(const IgnoredFlag& flag) {
  return std::string(flag.names.substr(0, flag.names.find(',')));
}

void declare(CLI::App& app, const IgnoredFlag& flag) {
  const std::string names(flag.names);
  if (flag.arity == Arity::none) {
    app.add_flag(names)->group(kGroup);
    return;
  }
  CLI::Option* option = app.add_option(names)->group(kGroup)->take_all();
  if (flag.arity == Arity::many) option->expected(-1);
  if (flag.arity == Arity::optional) option->expected(0, 1);
}

/// What was asked for is what happens anyway.
bool is_default(const CLI::Option& option) {
  const auto& words = option.results();
  return option.check_name("--device") && words.size() == 1 && words[0] == "cpu";
}

}  // namespace

std::span<const IgnoredFlag> ignored_flags() {
  return kIgnored;
}

void declare_ignored_flags(CLI::App& app) {
  for (const IgnoredFlag& flag : kIgnored) declare(app, flag);
}

void note_ignored_flags(const CLI::App& app) {
  for (const IgnoredFlag& flag : kIgnored) {
    const CLI::Option* option = app.get_option_no_throw(first_name(flag));
    if (option == nullptr || option->count() == 0 || is_default(*option)) continue;
    tell("tare: note: {} has no effect here: {}\n", first_name(flag), flag.why);
  }
}

}  // namespace tare::cli
