#include <fmt/format.h>

#include <algorithm>

#include "task/head.h"
#include "task/task.h"

namespace tare::task {
namespace {

namespace fs = std::filesystem;
using base::Result;
using Entries = std::map<std::string, Entry, std::less<>>;

bool ignored_folder(const fs::path& folder) {
  const fs::path name = folder.filename();
  return name == "__pycache__" || name == ".ipynb_checkpoints";
}

/// All *.yaml below the folder, sorted by path as text.
Result<std::vector<std::string>> yaml_files(const fs::path& root) {
  std::error_code error;
  fs::recursive_directory_iterator walk(root, error);
  if (error)
    return base::input_error(
        fmt::format("cannot look for tasks in {}: {}; name a folder of YAML files", root.string(),
                    error.message()));
  std::vector<std::string> files;
  while (walk != fs::recursive_directory_iterator()) {
    if (walk->path().extension() == ".yaml") {
      files.push_back(walk->path().generic_string());
    } else if (walk->is_directory(error) && ignored_folder(walk->path())) {
      walk.disable_recursion_pending();
    }
    walk.increment(error);
    if (error)
      return base::input_error(
          fmt::format("cannot look for tasks in {}: {}", root.string(), error.message()));
  }
  std::ranges::sort(files);
  return files;
}

/// The entries of one root, in the making.
class RootIndex {
 public:
  explicit RootIndex(std::vector<std::string>& hidden) : hidden_(hidden) {}

  /// "" or why the file defines nothing.
  std::string add(const std::string& file, const Head& head) {
    if (!head.python && head.group) return add_named(EntryKind::group, *head.group, file, head);
    const EntryKind kind = head.python ? EntryKind::python_task : EntryKind::task;
    if (head.task) return add_named(kind, *head.task, file, head);
    return head.python ? "has 'class' but no 'task'" : "";  // a base file for others to include
  }

  Entries take() {
    for (auto& [name, entry] : entries_) {
      std::vector<std::string>& tasks = entry.tasks;
      std::ranges::sort(tasks);
      tasks.erase(std::unique(tasks.begin(), tasks.end()), tasks.end());
    }
    return std::move(entries_);
  }

 private:
  std::string add_named(EntryKind kind, const std::optional<std::string>& name,
                        const std::string& file, const Head& head) {
    if (!name) return "its name is no text";
    const auto [known, is_new] = entries_.try_emplace(*name, Entry{kind, *name, file, {}});
    if (!is_new) {
      hidden_.push_back(fmt::format(
          "{} in {} is hidden by the {} of that name{}", *name, file,
          known->second.kind == EntryKind::tag ? "tag" : "definition",
          known->second.file.empty() ? "" : " in " + known->second.file.generic_string()));
    } else if (kind != EntryKind::group) {
      for (const std::string& tag : head.tags.value_or(std::vector<std::string>{}))
        entries_.try_emplace(tag, Entry{EntryKind::tag, tag, {}, {}})
            .first->second.tasks.push_back(*name);
    }
    return "";
  }

  Entries entries_;
  std::vector<std::string>& hidden_;
};

}  // namespace

Result<Index> Index::scan(const std::vector<fs::path>& roots) {
  Index index;
  HeadReader heads;
  for (const fs::path& root : roots) {
    TARE_TRY(const std::vector<std::string> files, yaml_files(root));
    RootIndex entries(index.hidden_);
    for (const std::string& file : files) {
      const Result<Head> head = heads.read(file);
      const std::string problem = head ? entries.add(file, *head) : head.error().text;
      if (!problem.empty())
        index.unreadable_.push_back(problem.starts_with(file) ? problem : file + ": " + problem);
    }
    for (auto& [name, entry] : entries.take()) {
      const auto [known, is_new] = index.entries_.try_emplace(name, entry);
      if (is_new) continue;
      index.hidden_.push_back(fmt::format("{} is taken from {}", name, root.string()));
      known->second = entry;
    }
  }
  return index;
}

Result<std::vector<TaskConfig>> Index::resolve(const std::vector<std::string>& words) const {
  TARE_TRY(Selection selection, select(words));
  return std::move(selection.tasks);
}

}  // namespace tare::task
