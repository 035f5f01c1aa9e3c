#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <system_error>

#include "base/json.h"
#include "base/nearest.h"
#include "cli/command.h"
#include "cli/hub_settings.h"
#include "cli/parse.h"
#include "cli/terminal.h"
#include "data/dataset.h"
#include "hub/hub.h"

namespace tare::cli {
namespace {

using base::Status;

struct FetchOptions {
  std::string name, file, revision = "main";
  std::vector<std::string> configs, splits;
  bool offline = false;
  bool quiet = false;
  bool json = false;
};

hub::Hub open_hub(const FetchOptions& options) {
  hub::Settings settings = hub_settings(options.offline, options.quiet);
  settings.refresh = true;
  return hub::Hub(std::move(settings));
}

base::Value describe(const std::vector<core::SourceFile>& files) {
  base::List list;
  for (const core::SourceFile& file : files) {
    base::Dict entry;
    std::error_code unknown;
    const auto bytes = std::filesystem::file_size(file.path, unknown);
    entry.set("path", file.path);
    entry.set("bytes", unknown ? base::Value() : base::Value(static_cast<std::size_t>(bytes)));
    entry.set("sha256", file.sha256);
    entry.set("url", file.url);
    list.emplace_back(std::move(entry));
  }
  return list;
}

void print_files(const FetchOptions& options, const std::vector<core::SourceFile>& files) {
  if (!options.json) {
    for (const core::SourceFile& file : files) print_text(file.path + "\n");
    return;
  }
  base::Dict document;
  document.set("name", options.name);
  document.set("revision", options.revision);
  document.set("files", describe(files));
  print_text(base::json::dump(document, {.indent = 2}) + "\n");
}

Status fetch_dataset(const FetchOptions& options) {
  hub::Hub hub = open_hub(options);
  data::Sources sources{{}, {}, &hub};
  base::Dict arguments;
  arguments.set("revision", options.revision);
  std::vector<std::optional<std::string>> configs(options.configs.begin(), options.configs.end());
  if (configs.empty()) configs.emplace_back();
  std::vector<core::SourceFile> files;
  for (const auto& config : configs) {
    TARE_TRY(auto found,
             data::fetch_files({options.name, config, arguments}, sources, options.splits));
    for (core::SourceFile& file : found) files.push_back(std::move(file));
  }
  print_files(options, files);
  return {};
}

/// The files of a repository that are models, for the error.
base::Failure wanted_file(const FetchOptions& options, const hub::Snapshot& snapshot) {
  std::vector<std::string> models;
  for (const auto& entry : snapshot.listing)
    if (entry.first.ends_with(".gguf")) models.push_back(entry.first);
  if (models.empty())
    return base::input_error(
        fmt::format("{}: has no .gguf file, the kind that tare runs", options.name));
  return base::input_error(fmt::format("{}: found no file {}, wanted {}", options.name,
                                       options.file.empty() ? "named" : "'" + options.file + "'",
                                       base::join_or(models)));
}

Status fetch_model(const FetchOptions& options) {
  hub::Hub hub = open_hub(options);
  TARE_TRY(const hub::Snapshot snapshot,
           hub.open({hub::Kind::model, options.name}, options.revision));
  if (!snapshot.listing.empty() && snapshot.listing.find(options.file) == snapshot.listing.end())
    return wanted_file(options, snapshot);
  TARE_TRY(const auto path, hub.fetch(snapshot, options.file));
  const auto listed = snapshot.listing.find(options.file);
  const std::string sha256 = listed == snapshot.listing.end() ? "" : listed->second.sha256;
  const std::string url = fmt::format("hf://{}@{}/{}", options.name, snapshot.commit, options.file);
  print_files(options, {{path.string(), sha256, url, options.revision}});
  return {};
}

void declare_common(CLI::App& app, FetchOptions& options) {
  app.add_option("name", options.name, "ORG/NAME on the hub")->required()->type_name("ORG/NAME");
  app.add_option("--revision", options.revision, "branch, tag or commit (default: main)");
  app.add_flag("--offline", options.offline, "send nothing: say what the cache has");
  app.add_flag("--quiet,-q", options.quiet, "no progress");
  app.add_flag("--json,--output-json", options.json, "print names, hashes and paths as JSON");
}

}  // namespace

ExitCode fetch_command(std::vector<std::string> args) {
  FetchOptions options;
  CLI::App app("Downloads what a hub has into its cache and prints where it lies.", "tare fetch");
  CLI::App* dataset = app.add_subcommand("dataset", "the files of a data set");
  declare_common(*dataset, options);
  dataset->add_option("--config", options.configs, "configuration; repeatable (default: its own)");
  dataset->add_option("--split", options.splits, "split; repeatable (default: all)");
  CLI::App* model = app.add_subcommand("model", "a model file");
  declare_common(*model, options);
  model->add_option("file", options.file, "the .gguf file");
  app.require_subcommand(1);
  if (const auto code = parse(app, std::move(args))) return *code;
  const Status status = dataset->parsed() ? fetch_dataset(options) : fetch_model(options);
  return status ? kDone : report(status.error());
}

}  // namespace tare::cli
