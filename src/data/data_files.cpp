#include "data/data_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "base/python.h"
#include "base/unicode.h"
#include "data/urls.h"

namespace tare::data {
namespace fs = std::filesystem;
namespace {

using base::Result;
using base::Value;
using Patterns = std::vector<std::string>;

/// Files of a repository that are never data.
constexpr std::array<std::string_view, 6> kNoData = {"README.md",         "config.json",
                                                     "dataset_info.json", "dataset_infos.json",
                                                     "dummy_data.zip",    "dataset_dict.json"};

std::string_view file_name(std::string_view path) {
  return path.substr(path.rfind('/') + 1);  // npos + 1 is 0
}

bool is_no_data(std::string_view path, std::string_view pattern) {
  const std::string_view name = file_name(path);
  return name != file_name(pattern) &&
         std::find(kNoData.begin(), kNoData.end(), name) != kNoData.end();
}

/// ".tar" and ".gz" of "x.tar.gz".
std::vector<std::string> extensions(std::string_view name) {
  std::vector<std::string> found;
  std::size_t dot = name.find('.');
  while (dot != std::string_view::npos) {
    const std::size_t next = name.find('.', dot + 1);
    found.push_back(base::unicode::lower(name.substr(dot, next - dot)));
    dot = next;
  }
  return found;
}

base::Failure wanted_files(const Value& found) {
  return base::input_error(fmt::format(
      "data_files: found {}, wanted a path, a list of paths, or a mapping from split to these",
      base::python::repr(found)));
}

Result<Patterns> read_patterns(const Value& value) {
  if (value.is_string()) return Patterns{value.as_string()};
  if (!value.is_sequence()) return wanted_files(value);
  Patterns patterns;
  for (const Value& item : value.items()) {
    if (!item.is_string()) return wanted_files(item);
    patterns.push_back(item.as_string());
  }
  return patterns;
}

/// Words joined by dots, as `datasets` demands of a split's name.
bool is_split_name(std::string_view name) {
  bool after_word = false;
  for (std::size_t pos = 0; pos < name.size();) {
    const char32_t c = base::unicode::decode(name, pos);
    const bool word = c == U'_' || base::unicode::is_alnum(c);
    if (!word && (c != U'.' || !after_word)) return false;
    after_word = word;
  }
  return after_word;
}

base::Status add_split(std::vector<SplitPatterns>& splits, const Value& name, const Value& paths) {
  const std::string text = base::python::str(name);
  if (!is_split_name(text))
    return base::input_error(fmt::format(
        "data_files: found the split name {}, wanted letters, digits, '_' and single dots",
        base::python::repr(text)));
  for (const SplitPatterns& split : splits)
    if (split.name == text)
      return base::input_error(fmt::format("data_files: found the split {} twice", text));
  TARE_TRY(Patterns patterns, read_patterns(paths));
  splits.push_back({text, std::move(patterns)});
  return {};
}

using Words = std::vector<std::string_view>;

/// Split names and the words that stand for them in names of files, in order of preference.
const std::vector<std::pair<std::string, Words>>& split_words() {
  static const std::vector<std::pair<std::string, Words>> words = {
      {"train", {"train", "training"}},
      {"validation", {"validation", "valid", "dev", "val"}},
      {"test", {"test", "testing", "eval", "evaluation"}}};
  return words;
}

constexpr std::string_view kShard = "-[0-9][0-9][0-9][0-9][0-9]-of-[0-9][0-9][0-9][0-9][0-9]*.*";
constexpr std::string_view kBorder = "[-._ 0-9]";  // what parts a word from the rest of a name

Patterns folder_patterns(std::string_view word) {
  return {fmt::format("**/{}/**", word), fmt::format("**/{}{}*/**", word, kBorder),
          fmt::format("**/*{}{}/**", kBorder, word),
          fmt::format("**/*{}{}{}*/**", kBorder, word, kBorder)};
}

Patterns file_patterns(std::string_view word) {
  return {fmt::format("**/{}{}*", word, kBorder),
          fmt::format("**/*{}{}{}*", kBorder, word, kBorder)};
}

bool matches_any(const std::vector<std::string>& files, const Patterns& patterns) {
  return std::any_of(files.begin(), files.end(), [&](const std::string& file) {
    return std::any_of(patterns.begin(), patterns.end(), [&](const std::string& pattern) {
      return path_matches(pattern, file) && !is_no_data(file, pattern);
    });
  });
}

std::vector<SplitPatterns> splits_by_words(const std::vector<std::string>& files,
                                           Patterns (*patterns_of)(std::string_view)) {
  std::vector<SplitPatterns> splits;
  for (const auto& [name, words] : split_words()) {
    Patterns patterns;
    for (const std::string_view word : words)
      for (std::string& pattern : patterns_of(word)) patterns.push_back(std::move(pattern));
    if (matches_any(files, patterns)) splits.push_back({name, std::move(patterns)});
  }
  return splits;
}

/// data/NAME-00000-of-00001.parquet: known names first, the others sorted.
std::vector<SplitPatterns> splits_by_shards(const std::vector<std::string>& files) {
  constexpr std::size_t kShardLength = std::string_view("-00000-of-00001").size();
  std::set<std::string> names;
  for (const std::string& file : files) {
    if (!path_matches(fmt::format("data/*{}", kShard), file)) continue;
    const std::string_view name = file_name(file);
    for (std::size_t at = name.size() - kShardLength; at > 0; --at)
      if (component_matches(kShard, name.substr(at))) {
        names.emplace(name.substr(0, at));
        break;
      }
  }
  std::vector<SplitPatterns> splits;
  const auto take = [&](const std::string& name) {
    splits.push_back({name, {fmt::format("data/{}{}", name, kShard)}});
  };
  for (const auto& [name, words] : split_words())
    if (names.erase(name) > 0) take(name);
  std::for_each(names.begin(), names.end(), take);
  return splits;
}

}  // namespace

Result<std::vector<SplitPatterns>> read_data_files(const Value& data_files) {
  std::vector<SplitPatterns> splits;
  if (data_files.is_dict()) {
    for (const auto& [name, paths] : data_files.as_dict())
      TARE_CHECK(add_split(splits, name, paths));
    return splits;
  }
  const bool listed =
      data_files.is_list() && !data_files.items().empty() && data_files.items().front().is_dict();
  if (!listed) {
    TARE_TRY(Patterns patterns, read_patterns(data_files));
    splits.push_back({"train", std::move(patterns)});
    return splits;
  }
  for (const Value& entry : data_files.items()) {
    const Value* name = entry.find("split");
    const Value* paths = entry.find("path");
    if (name == nullptr || paths == nullptr) return wanted_files(entry);
    TARE_CHECK(add_split(splits, *name, *paths));
  }
  return splits;
}

std::vector<SplitPatterns> infer_splits(const FileSet& set) {
  const std::vector<std::string> files = list_files(set);
  auto splits = splits_by_shards(files);
  if (splits.empty()) splits = splits_by_words(files, folder_patterns);
  if (splits.empty()) splits = splits_by_words(files, file_patterns);
  if (splits.empty()) splits.push_back({"train", {"**"}});
  return splits;
}

std::vector<SplitFiles> resolve(const std::vector<SplitPatterns>& splits, const FileSet& among,
                                bool data_only) {
  std::vector<SplitFiles> resolved;
  for (const SplitPatterns& split : splits) {
    SplitFiles found{split.name, split.patterns, {}, {}};
    for (const std::string& pattern : split.patterns) {
      const std::size_t before = found.files.size();
      const auto files =
          is_url(pattern) ? std::vector<fs::path>{pattern} : find_files(pattern, among);
      for (const fs::path& file : files)
        if (!is_no_data(file.filename().string(), pattern) &&
            (!data_only || !main_extension({file}).empty()))
          found.files.push_back(file);
      if (found.files.size() == before && !has_wildcards(pattern)) found.missing.push_back(pattern);
    }
    resolved.push_back(std::move(found));
  }
  return resolved;
}

std::string main_extension(const std::vector<fs::path>& files) {
  std::map<std::string, std::size_t> counts;
  for (const fs::path& file : files)
    for (const std::string& extension : extensions(file.filename().string()))
      if (format_of_extension(extension)) ++counts[extension];
  constexpr std::array<std::string_view, 4> kPreferred = {".parquet", ".jsonl", ".json", ".csv"};
  const auto rank = [&](const auto& entry) {
    const auto place = std::find(kPreferred.begin(), kPreferred.end(), entry.first);
    return std::tuple(entry.second, kPreferred.end() - place, entry.first);
  };
  const auto best =
      std::max_element(counts.begin(), counts.end(),
                       [&](const auto& a, const auto& b) { return rank(a) < rank(b); });
  return best == counts.end() ? "" : best->first;
}

std::vector<fs::path> only_format(const std::vector<fs::path>& files, Format format) {
  std::vector<fs::path> kept;
  std::copy_if(files.begin(), files.end(), std::back_inserter(kept), [&](const fs::path& file) {
    const auto found = extensions(file.filename().string());
    return std::any_of(found.begin(), found.end(), [&](const std::string& extension) {
      return format_of_extension(extension) == format;
    });
  });
  return kept;
}

}  // namespace tare::data
