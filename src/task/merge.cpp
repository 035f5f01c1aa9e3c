#include "task/merge.h"

#include <fmt/format.h>

#include <set>

#include "base/files.h"
#include "base/hash.h"
#include "base/python.h"
#include "task/function.h"
#include "text/yaml.h"

namespace tare::task {
namespace {

namespace fs = std::filesystem;
using base::Result;
using base::Value;

using Visited = std::set<fs::path>;

fs::path identity(const fs::path& file) {
  std::error_code error;
  fs::path path = fs::weakly_canonical(file, error);
  return error ? file.lexically_normal() : path;
}

/// Includes and modules are looked up beside the file itself, not beside a link to it.
fs::path folder_of(const fs::path& file) {
  std::error_code error;
  return fs::is_symlink(file, error) ? identity(file).parent_path() : file.parent_path();
}

std::string place(const fs::path& file, const text::yaml::File& yaml, std::string_view key) {
  const auto mark = yaml.marks.find(key);
  return fmt::format("{}:{}", file.string(), mark == yaml.marks.end() ? 1 : mark->second.line);
}

Result<std::vector<fs::path>> included_files(const Value& include, const fs::path& folder) {
  std::vector<fs::path> files;
  const base::List single{include};
  for (const Value& item : include.is_list() ? include.items() : single) {
    if (!item.is_string())
      return base::input_error(fmt::format("include: found {}, wanted a path or a list of paths",
                                           base::python::repr(item)));
    files.push_back((folder / item.as_string()).lexically_normal());
  }
  return files;
}

void add_own_keys(const fs::path& file, const text::yaml::File& yaml, MergedYaml& merged) {
  const fs::path folder = folder_of(file);
  for (const auto& [key, value] : yaml.root.as_dict()) {
    const std::string name = base::python::str(key);
    if (name == "include") continue;
    merged.values.set(key, with_function_folder(value, folder));
    const auto mark = yaml.marks.find(name);
    merged.origins[name] = {file, mark == yaml.marks.end() ? 0 : mark->second.line};
  }
}

Result<MergedYaml> load(const fs::path& file, Visited& visited);

base::Status merge_includes(const fs::path& file, const text::yaml::File& yaml, Visited& visited,
                            MergedYaml& merged) {
  const Value* include = yaml.root.find("include");
  if (include == nullptr) return {};
  const std::string where = place(file, yaml, "include");
  auto files = included_files(*include, folder_of(file));
  if (!files) return base::in_context(where, files.error());
  for (const fs::path& path : *files) {
    if (visited.contains(identity(path)))
      return base::input_error(fmt::format(
          "{}: include: {} is reached twice (a cycle, or two includes that share a base); "
          "include it once",
          where, path.string()));
    auto part = load(path, visited);
    if (!part) return base::in_context(where + ": include", part.error());
    part->values.erase("task_list");
    override_with(merged, *part);
  }
  return {};
}

Result<MergedYaml> load(const fs::path& file, Visited& visited) {
  visited.insert(identity(file));
  TARE_TRY(const std::string text, base::read_file(file));
  TARE_TRY(const text::yaml::File yaml, text::yaml::parse(text, file.string()));
  MergedYaml merged;
  merged.files.push_back({file.string(), base::sha256_hex(text)});
  for (const text::yaml::Repeated& repeated : yaml.repeated)
    merged.repeated.push_back(text::yaml::text_of(repeated, file.string()));
  TARE_CHECK(merge_includes(file, yaml, visited, merged));
  add_own_keys(file, yaml, merged);
  return merged;
}

}  // namespace

Result<MergedYaml> load_merged(const fs::path& file) {
  Visited visited;
  return load(file, visited);
}

void override_with(MergedYaml& base, const MergedYaml& over) {
  for (const auto& [key, value] : over.values) base.values.set(key, value);
  for (const auto& [key, origin] : over.origins) base.origins[key] = origin;
  base.files.insert(base.files.end(), over.files.begin(), over.files.end());
  base.repeated.insert(base.repeated.end(), over.repeated.begin(), over.repeated.end());
}

}  // namespace tare::task
