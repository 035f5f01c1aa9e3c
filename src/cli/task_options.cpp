#include "cli/task_options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <charconv>

#include "base/files.h"
#include "base/json.h"
#include "base/nearest.h"
#include "base/unicode.h"
#include "cli/arguments.h"
#include "cli/option_table.h"
#include "cli/unknown_name.h"

namespace tare::cli {
namespace {

using base::Result;
using base::Status;
using base::usage_error;
using base::Value;

Result<double> parse_limit(const std::string& text) {
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [rest, fault] = std::from_chars(text.data(), end, value);
  if (fault != std::errc() || rest != end || !(value > 0))
    return usage_error(
        fmt::format("--limit {}: wanted a count of documents, or a share between 0 and 1", text));
  return value;
}

Result<std::optional<std::int64_t>> parse_seed(std::string_view text) {
  if (base::unicode::lower(text) == "none") return std::optional<std::int64_t>();
  std::int64_t value = 0;
  const auto [rest, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (fault != std::errc() || rest != text.data() + text.size())
    return usage_error(fmt::format("--seed: '{}' is no integer (or None)", text));
  return std::optional(value);
}

/// One value stands for all four; with three the few-shot seed keeps its default.
Result<std::vector<std::optional<std::int64_t>>> parse_seeds(const std::string& text) {
  std::vector<std::optional<std::int64_t>> seeds{0, 1234, 1234, 1234};
  if (text.empty()) return seeds;
  std::vector<std::string> words = CLI::detail::split(text, ',');
  if (words.size() == 1) words.assign(4, words[0]);
  if (words.size() != 3 && words.size() != 4)
    return usage_error(fmt::format(
        "--seed {}: found {} values, wanted 1, 3 or 4, as lm-eval takes them", text, words.size()));
  for (std::size_t i = 0; i < words.size(); ++i) {
    TARE_TRY(seeds[i], parse_seed(base::unicode::strip(words[i])));
  }
  return seeds;
}

Result<std::vector<std::size_t>> parse_indices(const std::string& task, const Value& list) {
  std::vector<std::size_t> indices;
  if (!list.is_list())
    return usage_error(fmt::format("--samples: {} is {}, wanted a list of document indices", task,
                                   base::json::dump(list)));
  for (const Value& index : list.items()) {
    if (!index.is_int() || index.as_int() < 0)
      return usage_error(
          fmt::format("--samples: {}: {} is no document index", task, base::json::dump(index)));
    indices.push_back(static_cast<std::size_t>(index.as_int()));
  }
  return indices;
}

Result<decltype(task::BuildOptions::samples)> parse_samples(const std::string& argument) {
  decltype(task::BuildOptions::samples) samples;
  if (argument.empty()) return samples;
  std::string text = argument;
  if (base::unicode::lstrip(argument).substr(0, 1) != "{") {
    auto file = base::read_file(argument);
    if (!file) return base::in_context("--samples", file.error());
    text = std::move(*file);
  }
  auto root = base::json::parse(text);
  if (!root) return base::in_context("--samples", root.error());
  if (!root->is_dict())
    return usage_error("--samples: wanted a JSON object {task: [document index, ...]}");
  for (const auto& [task, list] : root->as_dict()) {
    TARE_TRY(samples[task.as_string()], parse_indices(task.as_string(), list));
  }
  return samples;
}

std::vector<std::string> mode_names() {
  std::vector<std::string> names;
  for (const task::GenerationMode& mode : task::generation_modes()) names.emplace_back(mode.name);
  return names;
}

/// A mode is what its name says, so nothing else may be given beside it.
Result<const task::GenerationMode*> parse_mode(const RawTaskOptions& raw) {
  const task::GenerationMode* none = nullptr;
  if (!raw.generation_mode) return none;
  if (!raw.generation.empty())
    return usage_error(
        "--generation-mode and --gen-kwargs exclude each other; leave out --generation-mode and "
        "give all of the parameters");
  if (const auto* mode = task::find_generation_mode(*raw.generation_mode)) return mode;
  return unknown_name("--generation-mode", *raw.generation_mode, mode_names());
}

constexpr std::int64_t kMostRepetitions = 100000;

Result<std::optional<std::size_t>> parse_repetitions(const std::optional<std::int64_t>& given) {
  if (!given) return std::optional<std::size_t>();
  if (*given < 1 || *given > kMostRepetitions)
    return usage_error(fmt::format("--repetitions {}: wanted a count of answers, 1 to {}", *given,
                                   kMostRepetitions));
  return std::optional(static_cast<std::size_t>(*given));
}

}  // namespace

void declare_task_options(CLI::App& app, TasksAs tasks, RawTaskOptions& raw, TaskOptions& options) {
  app.add_option(tasks == TasksAs::option ? "--tasks,-t" : "--tasks,-t,tasks", raw.tasks,
                 "task names, globs over names, or YAML files, separated by commas or spaces")
      ->type_name(kTasks);
  app.add_option("--include-path", raw.include_paths,
                 "folder with more task YAML files; repeatable")
      ->type_name(kFolder)
      ->allow_extra_args(false);
  app.add_option(
         "--datasets", raw.datasets,
         "folder that holds data sets as ORG/NAME, looked into before the hub cache and the hub; "
         "repeatable (default: the working folder)")
      ->type_name(kFolder)
      ->allow_extra_args(false);
  app.add_flag("--offline", options.offline, "download no data sets");
  app.add_option("--num-fewshot,-f", raw.num_fewshot, "few-shot examples, unless the YAML says 0")
      ->type_name(kCount);
  app.add_option("--limit,-L", raw.limit, "first N documents of each task, or a share below 1")
      ->type_name("N|0.X");
  app.add_option("--samples,-E", raw.samples, "JSON text or file {task: [document index, ...]}")
      ->type_name(kFile);
  app.add_option("--system-instruction", options.build.system_instruction,
                 "text before the description");
  declare_chat_options(app, raw.chat);
  app.add_option("--gen-kwargs", raw.generation,
                 "k=v,k=v over each task's generation_kwargs, or a JSON object")
      ->type_name(kWords)
      ->take_all();
  app.add_option("--generation-mode", raw.generation_mode,
                 "deterministic, fix, token256 or default: in place of each task's "
                 "generation_kwargs, but for its stop strings")
      ->type_name(fmt::format("{}", fmt::join(mode_names(), "|")));
  app.add_option("--repetitions", raw.repetitions,
                 "answers to each prompt of a task that generates (default: the task's repeats)")
      ->type_name(kCount);
  app.add_option("--metadata", raw.metadata, "k=v,k=v or a JSON object for tasks that read it")
      ->type_name(kWords)
      ->take_all();
  app.add_option("--seed", raw.seed,
                 "one for all, or python,numpy,torch[,few-shot] (default 0,1234,1234,1234)")
      ->type_name("N,...");
  app.add_flag("--predict-only,-x", options.build.predict_only, "answers alone, no metrics");
  app.add_flag("--allow-python", options.allow_python,
               "run functions of tasks that have no native twin in a Python process");
  app.add_option("--python", options.python, "interpreter for --allow-python (default: python3)")
      ->type_name(kFile);
  app.add_flag("--confirm-run-unsafe-code", options.build.run_unsafe_code,
               "run programs that the model writes, in a sandbox");
}

Status check_task_options(const RawTaskOptions& raw, TaskOptions& options) {
  if (!raw.limit.empty() && !raw.samples.empty())
    return usage_error("--limit and --samples exclude each other; give one of them");
  options.tasks = split_words(raw.tasks);
  if (options.tasks.empty())
    return usage_error(
        "no task is named; wanted --tasks NAME[,NAME...] (tare ls tasks lists them)");
  options.include_paths.assign(raw.include_paths.begin(), raw.include_paths.end());
  options.datasets.assign(raw.datasets.begin(), raw.datasets.end());
  if (options.datasets.empty()) options.datasets.emplace_back(".");
  for (const std::filesystem::path& folder : options.datasets)
    if (std::error_code error; !std::filesystem::is_directory(folder, error))
      return usage_error(
          fmt::format("--datasets {}: is no folder; wanted one that holds data sets as ORG/NAME",
                      folder.string()));
  if (raw.num_fewshot && *raw.num_fewshot < 0)
    return usage_error(
        fmt::format("--num-fewshot {}: wanted a count of examples, 0 or more", *raw.num_fewshot));
  if (raw.num_fewshot) options.build.num_fewshot = static_cast<std::size_t>(*raw.num_fewshot);
  TARE_CHECK(check_chat_options(raw.chat, options.chat));
  if (!raw.limit.empty()) {
    TARE_TRY(options.build.limit, parse_limit(raw.limit));
  }
  TARE_TRY(options.build.samples, parse_samples(raw.samples));
  TARE_TRY(options.build.generation_mode, parse_mode(raw));
  TARE_TRY(options.build.repetitions, parse_repetitions(raw.repetitions));
  TARE_TRY(options.build.generation_kwargs, merge_arguments("--gen-kwargs", raw.generation));
  TARE_TRY(options.build.metadata, merge_arguments("--metadata", raw.metadata));
  TARE_TRY(options.seeds, parse_seeds(raw.seed));
  options.build.fewshot_seed = options.seeds[3];
  return {};
}

}  // namespace tare::cli
