#include "data/source.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/files.h"
#include "base/nearest.h"
#include "base/python.h"
#include "data/card.h"
#include "data/features.h"
#include "data/urls.h"

namespace tare::data {
namespace fs = std::filesystem;
namespace {

using base::Result;
using base::Value;

bool is_folder(const fs::path& path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored);
}

/// An argument that must be a path if it is there.
Result<fs::path> read_data_dir(const Value& arguments) {
  const Value* value = arguments.find("data_dir");
  if (value == nullptr || value->is_none()) return fs::path();
  if (!value->is_string())
    return base::input_error(
        fmt::format("data_dir: found {}, wanted a path", base::python::repr(*value)));
  return fs::path(value->as_string());
}

const Value* data_files_in(const Value& arguments) {
  const Value* value = arguments.find("data_files");
  return value == nullptr || value->is_none() ? nullptr : value;
}

Result<std::vector<SplitPatterns>> read_patterns(const Value& data_files, const Sources& sources,
                                                 const std::string& subject) {
  auto splits = read_data_files(data_files);
  if (!splits) return base::in_context(subject, splits.error());
  TARE_CHECK(expand_urls(*splits, sources, subject));
  return splits;
}

/// The files of each split under the first base that has them all; under the first of all if none.
std::vector<SplitFiles> resolve_local(const std::vector<SplitPatterns>* named,
                                      const std::vector<fs::path>& bases) {
  std::vector<SplitFiles> first;
  for (const fs::path& base : bases) {
    const FileSet files{base, {}};
    auto splits = resolve(named != nullptr ? *named : infer_splits(files), files, named == nullptr);
    const bool complete = !splits.empty() && std::ranges::all_of(splits, [](const SplitFiles& s) {
      return !s.files.empty() && s.missing.empty();
    });
    if (complete) return splits;
    if (&base == &bases.front()) first = std::move(splits);
  }
  return first;
}

Result<Source> source_of_builder(const DatasetSpec& spec, Format format, const Sources& sources) {
  Source source{spec.path, format, {}, {}, {}};
  TARE_CHECK(read_options(spec.arguments, format, spec.path, source.options));
  TARE_TRY(const fs::path data_dir, read_data_dir(spec.arguments));
  std::vector<fs::path> bases;
  for (const fs::path& base : sources.bases) bases.push_back(base / data_dir);
  const Value* data_files = data_files_in(spec.arguments);
  if (data_files == nullptr && data_dir.empty())
    return base::input_error(
        fmt::format("{}: found no data_files and no data_dir in dataset_kwargs, wanted one of them",
                    spec.path));
  std::vector<SplitPatterns> named;
  if (data_files != nullptr) {
    TARE_TRY(named, read_patterns(*data_files, sources, spec.path));
  }
  source.splits = resolve_local(data_files == nullptr ? nullptr : &named, bases);
  return source;
}

/// A data set folder (or repository), its card, and what the task asked of it.
struct Folder {
  FileSet files;
  Card card;
  std::string subject;
  const Sources& sources;
};

std::string names_of(const std::vector<CardConfig>& configs) {
  std::vector<std::string> names;
  for (const CardConfig& config : configs) names.push_back(config.name);
  return base::join_or(names);
}

/// The configuration that is meant when none is named.
Result<const CardConfig*> default_config(const Folder& folder) {
  const auto& configs = folder.card.configs;
  if (configs.size() == 1) return &configs.front();
  const CardConfig* chosen = nullptr;
  for (const CardConfig& config : configs) {
    if (!config.is_default && config.name != "default") continue;
    if (chosen != nullptr)
      return base::input_error(fmt::format("{}: found two default configurations, {} and {}",
                                           folder.subject, chosen->name, config.name));
    chosen = &config;
  }
  if (chosen != nullptr) return chosen;
  return base::input_error(fmt::format("{}: found no dataset_name, wanted a configuration: {}",
                                       folder.subject, names_of(configs)));
}

Result<const CardConfig*> choose_config(const Folder& folder,
                                        const std::optional<std::string>& name) {
  if (!name) return default_config(folder);
  for (const CardConfig& config : folder.card.configs)
    if (config.name == *name) return &config;
  std::vector<std::string> known;
  for (const CardConfig& config : folder.card.configs) known.push_back(config.name);
  const auto near = base::nearest_names(*name, known);
  return base::input_error(fmt::format("{}: found no configuration {}, {}", folder.subject,
                                       base::python::repr(*name),
                                       near.empty() ? "wanted " + base::join_or(known)
                                                    : "did you mean " + base::join_or(near) + "?"));
}

/// The format that the files have, by the first split that has any; all splits must agree.
Result<std::string> common_extension(const Source& source, const fs::path& base) {
  std::string extension;
  for (const SplitFiles& split : source.splits) {
    const std::string found = main_extension(split.files);
    if (found.empty()) continue;
    if (!extension.empty() && found != extension &&
        (format_of_extension(found) != format_of_extension(extension) || found == ".tsv" ||
         extension == ".tsv"))
      return base::input_error(
          fmt::format("{}: found {} and {} files in different splits, wanted one format",
                      source.subject, extension, found));
    extension = found;
  }
  if (extension.empty())
    return base::input_error(fmt::format(
        "{}: found no data file in {}, wanted .parquet, .jsonl, .json, .csv, .tsv or .txt",
        source.subject, base.string()));
  return extension;
}

/// Fills in splits, format and options from patterns and what the files are called.
base::Status fill(Source& source, const std::vector<SplitPatterns>& splits, const FileSet& files) {
  source.splits = resolve(splits, files, true);
  TARE_TRY(const std::string extension, common_extension(source, files.base));
  source.format = *format_of_extension(extension);
  source.options = options_of_extension(extension);
  for (SplitFiles& split : source.splits) split.files = only_format(split.files, source.format);
  return {};
}

void declare_features(Source& source, const Card& card, const std::string& config) {
  source.features = read_features(features_of(card, config));
}

/// The task itself says which files.
Result<Source> source_of_files(const DatasetSpec& spec, const Folder& folder) {
  Source source{folder.subject, {}, {}, {}, {}};
  TARE_TRY(const fs::path data_dir, read_data_dir(spec.arguments));
  const FileSet files = below(folder.files, data_dir);
  std::vector<SplitPatterns> splits;
  if (const Value* data_files = data_files_in(spec.arguments)) {
    TARE_TRY(splits, read_patterns(*data_files, folder.sources, folder.subject));
  } else {
    splits = infer_splits(files);
  }
  TARE_CHECK(fill(source, splits, files));
  return source;
}

Result<Source> source_of_config(const DatasetSpec& spec, const Folder& folder) {
  TARE_TRY(const CardConfig* config, choose_config(folder, spec.name));
  Source source{fmt::format("{} ({})", folder.subject, config->name), {}, {}, {}, {}};
  TARE_TRY(const fs::path data_dir, read_data_dir(config->parameters));
  const FileSet files = below(folder.files, data_dir);
  std::vector<SplitPatterns> splits;
  if (const Value* data_files = data_files_in(config->parameters)) {
    TARE_TRY(splits, read_patterns(*data_files, folder.sources, source.subject));
  } else {
    splits = infer_splits(files);
  }
  TARE_CHECK(fill(source, splits, files));
  TARE_CHECK(read_card_options(config->parameters, source.format, source.subject, source.options));
  declare_features(source, folder.card, config->name);
  return source;
}

Result<Source> source_of_names(const DatasetSpec& spec, const Folder& folder) {
  if (spec.name && *spec.name != "default")
    return base::input_error(fmt::format(
        "{}: found dataset_name {}, but its README lists no configurations; leave the name out",
        folder.subject, base::python::repr(*spec.name)));
  Source source{folder.subject, {}, {}, {}, {}};
  TARE_CHECK(fill(source, infer_splits(folder.files), folder.files));
  declare_features(source, folder.card, "default");
  return source;
}

Result<Source> source_of_folder(const DatasetSpec& spec, const Folder& folder) {
  const bool chosen_files = data_files_in(spec.arguments) != nullptr;
  TARE_TRY(const fs::path data_dir, read_data_dir(spec.arguments));
  Result<Source> source = chosen_files || !data_dir.empty() ? source_of_files(spec, folder)
                          : folder.card.configs.empty()     ? source_of_names(spec, folder)
                                                            : source_of_config(spec, folder);
  if (!source) return source;
  TARE_CHECK(read_options(spec.arguments, source->format, source->subject, source->options));
  return source;
}

std::string searched_places(const DatasetSpec& spec, const Sources& sources) {
  std::vector<std::string> places;
  for (const fs::path& root : sources.roots) places.push_back((root / spec.path).string());
  for (const fs::path& base : sources.bases) places.push_back((base / spec.path).string());
  for (std::string& place : places) place = fs::path(place).lexically_normal().string();
  std::ranges::sort(places);
  places.erase(std::unique(places.begin(), places.end()), places.end());
  return base::join_or(places);
}

base::Failure not_found(const DatasetSpec& spec, const Sources& sources) {
  return base::input_error(
      fmt::format("{}: found no such folder ({}); put the data set there, or name the folder that "
                  "holds it with --datasets",
                  spec.path, searched_places(spec, sources)));
}

/// The folder of a data set in a hub cache: datasets--org--name/snapshots/REVISION, where refs/main
/// holds the revision.
fs::path in_hub_cache(const fs::path& root, std::string_view path) {
  std::string name = "datasets--";
  for (const char c : path) name += c == '/' ? "--" : std::string(1, c);
  const auto revision = base::read_file(root / name / "refs" / "main");
  return revision ? root / name / "snapshots" / *revision : fs::path();
}

std::optional<fs::path> locate(const std::string& path, const Sources& sources) {
  if (path.empty()) return std::nullopt;
  std::vector<fs::path> places;
  for (const fs::path& base : sources.bases) places.push_back(base / path);
  for (const fs::path& root : sources.roots) {
    places.push_back(root / path);
    places.push_back(in_hub_cache(root, path));
  }
  const auto found = std::find_if(places.begin(), places.end(), is_folder);
  return found == places.end() ? std::nullopt : std::optional(*found);
}

Result<Source> source_on_disk(const DatasetSpec& spec, const fs::path& path,
                              const Sources& sources) {
  TARE_TRY(Card card, read_card(path / "README.md"));
  return source_of_folder(spec, {{path, {}}, std::move(card), spec.path, sources});
}

/// "org/name" or "name", and no path like "./name".
bool may_be_repository(const std::string& path) {
  return !path.empty() && path[0] != '.' && path[0] != '/' &&
         std::count(path.begin(), path.end(), '/') <= 1;
}

Result<std::string> read_revision(const Value& arguments) {
  const Value* value = arguments.find("revision");
  if (value == nullptr || value->is_none()) return "main";
  if (value->is_string()) return value->as_string();
  return base::input_error(fmt::format("revision: found {}, wanted a branch, tag or commit",
                                       base::python::repr(*value)));
}

Result<Source> source_on_hub(const DatasetSpec& spec, const Sources& sources) {
  TARE_TRY(const std::string revision, read_revision(spec.arguments));
  auto repository = sources.remote->find(spec.path, revision);
  if (!repository)
    return base::fail(repository.error().kind,
                      fmt::format("{}; no folder has it either ({})", repository.error().text,
                                  searched_places(spec, sources)));
  constexpr std::string_view kCard = "README.md";
  Card card;
  if (std::ranges::find(repository->files, kCard) != repository->files.end()) {
    TARE_TRY(const fs::path file,
             sources.remote->fetch(fmt::format("{}/{}", repository->url(), kCard)));
    TARE_TRY(card, read_card(file));
  }
  const FileSet files{repository->url(), std::move(repository->files)};
  TARE_TRY(Source source, source_of_folder(spec, {files, std::move(card), spec.path, sources}));
  source.revision = revision;
  return source;
}

}  // namespace

bool is_here(const DatasetSpec& spec, const Sources& sources) {
  return format_of_builder(spec.path).has_value() || locate(spec.path, sources).has_value();
}

Result<Source> find_source(const DatasetSpec& spec, const Sources& sources) {
  constexpr std::array<std::string_view, 10> kOtherBuilders = {
      "arrow",       "pandas",      "sql",         "xml",       "webdataset",
      "imagefolder", "audiofolder", "videofolder", "generator", "hdf5"};
  if (is_url(spec.path))
    return base::input_error(fmt::format(
        "dataset_path: found {}, wanted org/name, or json with the URL as data_files", spec.path));
  if (const auto format = format_of_builder(spec.path))
    return source_of_builder(spec, *format, sources);
  if (std::find(kOtherBuilders.begin(), kOtherBuilders.end(), spec.path) != kOtherBuilders.end())
    return base::input_error(fmt::format(
        "dataset_path: found the builder {}, wanted json, csv, parquet or text", spec.path));
  if (const auto folder = locate(spec.path, sources)) return source_on_disk(spec, *folder, sources);
  if (sources.remote == nullptr || !may_be_repository(spec.path)) return not_found(spec, sources);
  return source_on_hub(spec, sources);
}

}  // namespace tare::data
