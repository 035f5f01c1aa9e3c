#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <array>

#include "backend/llama/tiers.h"
#include "cli/command.h"
#include "cli/install_paths.h"
#include "cli/parse.h"
#include "task/task.h"

namespace tare::cli {
namespace {

struct LsOptions {
  std::string what;
  std::vector<std::filesystem::path> include_paths;
};

base::Status list_tasks(const LsOptions& options) {
  TARE_TRY(const task::Index index, task::Index::scan(task_roots(options.include_paths)));
  for (const auto& [name, entry] : index.entries())
    if (entry.kind == task::EntryKind::task) fmt::print("{}\t{}\n", name, entry.file.string());
  for (const std::string& file : index.unreadable())
    fmt::print(stderr, "tare: warning: {} does not parse and is left out\n", file);
  return {};
}

base::Status list_tiers(const LsOptions&) {
  for (const auto& tier : backend::llama::list_tiers())
    fmt::print("{}\t{}\n", tier.name,
               tier.score > 0 ? "runs here" : "needs instructions that this CPU lacks");
  return {};
}

base::Status list_backends(const LsOptions&) {
  fmt::print("gguf:PATH[,max_length=N,kv=f32|f16,gpu_layers=N]\tllama.cpp in this process\n");
  fmt::print("scripted:FILE\tanswers from a file (docs/formats/scripted.md)\n");
  fmt::print("scripted:zero\tpseudo-random answers, as lm-eval's dummy model\n");
  return {};
}

struct Listing {
  std::string_view name;
  base::Status (*print)(const LsOptions&);
};

constexpr std::array kListings{
    Listing{"tasks", list_tasks},
    Listing{"backends", list_backends},
    Listing{"tiers", list_tiers},
};

base::Status list(const LsOptions& options) {
  for (const Listing& listing : kListings)
    if (listing.name == options.what) return listing.print(options);
  return base::usage_error(fmt::format("ls {}: wanted tasks, backends or tiers", options.what));
}

}  // namespace

ExitCode ls_command(std::vector<std::string> args) {
  LsOptions options;
  CLI::App app("Lists what there is.", "tare ls");
  app.add_option("what", options.what, "tasks, backends or tiers")->required();
  app.add_option("--include-path", options.include_paths,
                 "folder with more task YAML files; repeatable");
  if (const auto code = parse(app, std::move(args))) return *code;
  const base::Status status = list(options);
  return status ? kDone : report(status.error());
}

}  // namespace tare::cli
