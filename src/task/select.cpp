#include <fmt/format.h>

#include <algorithm>

#include "base/nearest.h"
#include "base/python.h"
#include "task/fields.h"
#include "task/glob.h"
#include "task/merge.h"
#include "task/task.h"

namespace tare::task {
namespace {

namespace fs = std::filesystem;
using base::Dict;
using base::List;
using base::Result;
using base::Status;
using base::Value;
using namespace std::string_view_literals;
using Entries = std::map<std::string, Entry, std::less<>>;

constexpr std::string_view kGroupKeys[] = {"group", "group_alias", "task", "aggregate_metric_list",
                                           "metadata"};

bool is_group_key(const Value& key) {
  return key.is_string() && std::ranges::find(kGroupKeys, key.as_string()) != std::end(kGroupKeys);
}

/// The keys of `from` that are no group's own: they override keys of all tasks below.
MergedYaml task_keys(const MergedYaml& from) {
  MergedYaml keys;
  for (const auto& [key, value] : from.values) {
    if (is_group_key(key)) continue;
    keys.values.set(key, value);
    const std::string name = base::python::str(key);
    if (const auto origin = from.origins.find(name); origin != from.origins.end())
      keys.origins[name] = origin->second;
  }
  return keys;
}

std::string text_at(const Value& dict, std::string_view key) {
  const Value* value = dict.find(key);
  return value != nullptr && value->is_string() ? value->as_string() : "";
}

/// Expands what --tasks names into tasks and groups.
class Selector {
 public:
  explicit Selector(const Entries& entries) : entries_(entries) {}

  Status add_name(const std::string& name) {
    const Entry& entry = entries_.find(name)->second;
    if (entry.kind == EntryKind::group) {
      source_ = name;
      TARE_TRY(MergedYaml group, load_merged(entry.file));
      return add_group(name, entry.file, group, {});
    }
    if (entry.kind != EntryKind::tag) return add_alone(entry, name);
    for (const std::string& task : entry.tasks)
      TARE_CHECK(add_alone(entries_.find(task)->second, task));
    return {};
  }

  Status add_file(const fs::path& file) {
    TARE_TRY(MergedYaml merged, load_merged(file));
    if (merged.values.find("group"sv) == nullptr || merged.values.find("class"sv) != nullptr)
      return add_alone_config(typed_config(merged, file));
    const Value group(merged.values);
    source_ = text_at(group, "group");
    if (source_.empty())
      return base::input_error(fmt::format("{}: group: wanted a name", file.string()));
    return add_group(source_, file, merged, {});
  }

  Selection take() { return std::move(selection_); }

 private:
  Status add_alone(const Entry& entry, const std::string& name) {
    source_ = name;
    return add_alone_config(load_entry(entry, {}));
  }

  Status add_alone_config(Result<TaskConfig> config) {
    if (!config) return tl::unexpected(config.error());
    source_ = config->task;
    return put(std::move(*config)).map([](const std::string&) {});
  }

  static Result<TaskConfig> load_entry(const Entry& entry, const MergedYaml& overrides) {
    TARE_TRY(MergedYaml merged, load_merged(entry.file));
    override_with(merged, overrides);
    return typed_config(merged, entry.file);
  }

  /// Keeps the first place and the last definition of a task that one word reaches twice. Returns
  /// the task's name.
  Result<std::string> put(TaskConfig config) {
    const std::string name = config.task;
    const auto [source, is_new] = source_of_.try_emplace(name, source_);
    if (!is_new && source->second != source_)
      return base::input_error(
          fmt::format("task {} is asked for twice, through {} and through {}; name it once", name,
                      source->second, source_));
    const auto same = std::ranges::find(selection_.tasks, name, &TaskConfig::task);
    if (same == selection_.tasks.end()) {
      selection_.tasks.push_back(std::move(config));
    } else {
      *same = std::move(config);
    }
    return name;
  }

  Status add_group(const std::string& name, const fs::path& file, const MergedYaml& group,
                   const MergedYaml& outer) {
    if (std::ranges::find(open_groups_, name) != open_groups_.end())
      return base::input_error(fmt::format("{}: group {} contains itself", file.string(), name));
    open_groups_.push_back(name);
    MergedYaml overrides = task_keys(group);
    override_with(overrides, outer);
    const std::size_t place = selection_.groups.size();
    selection_.groups.push_back(group_config(name, group.values));
    auto children = add_members({name, file, group, overrides});
    open_groups_.pop_back();
    if (!children) return tl::unexpected(children.error());
    selection_.groups[place].children = std::move(*children);
    return {};
  }

  static GroupConfig group_config(const std::string& name, const Value& group) {
    GroupConfig config{name, {}, {}, {}, {}};
    if (std::string alias = text_at(group, "group_alias"); !alias.empty()) config.alias = alias;
    if (const Value* list = group.find("aggregate_metric_list"))
      config.aggregate_metric_list = *list;
    if (const Value* metadata = group.find("metadata")) config.metadata = *metadata;
    return config;
  }

  /// A group whose members are being added.
  struct Parent {
    const std::string& name;
    const fs::path& file;
    const MergedYaml& group;
    const MergedYaml& overrides;

    [[nodiscard]] std::string where() const {
      const auto origin = group.origins.find("task");
      return origin == group.origins.end()
                 ? fmt::format("{}: group {}", file.string(), name)
                 : fmt::format("{}:{}: group {}", origin->second.file.string(), origin->second.line,
                               name);
    }
  };

  Result<std::vector<std::string>> add_members(const Parent& parent) {
    const Value* members = parent.group.values.find("task"sv);
    if (members == nullptr || !(members->is_list() || members->is_string()))
      return base::input_error(parent.where() + ": wanted a list of members under 'task'");
    std::vector<std::string> children;
    const List single{*members};
    for (const Value& member : members->is_list() ? members->items() : single) {
      auto names = add_member(parent, member);
      if (!names) return tl::unexpected(names.error());
      for (std::string& name : *names)
        if (std::ranges::find(children, name) == children.end())
          children.push_back(std::move(name));
    }
    return children;
  }

  Result<std::vector<std::string>> add_member(const Parent& parent, const Value& member) {
    if (member.is_string()) return add_known(parent, member.as_string(), parent.overrides);
    MergedYaml overrides = parent.overrides;
    if (member.is_dict()) override_with(overrides, task_keys(member_keys(parent, member)));
    if (std::string group = text_at(member, "group"); !group.empty())
      return entries_.contains(group) ? add_known(parent, group, overrides)
                                      : add_inline_group(parent, group, member);
    if (std::string task = text_at(member, "task"); !task.empty())
      return entries_.contains(task) ? add_known_task(parent, task, member, overrides)
                                     : add_inline_task(parent, task, member, overrides);
    return base::input_error(fmt::format("{}: member {} has no 'task' or 'group' with a name",
                                         parent.where(), base::python::repr(member)));
  }

  /// The keys of a member written as a mapping; they stand where the group's `task` stands.
  static MergedYaml member_keys(const Parent& parent, const Value& member) {
    MergedYaml keys;
    keys.values = member.as_dict();
    const auto origin = parent.group.origins.find("task");
    for (const auto& [key, value] : keys.values)
      keys.origins[base::python::str(key)] =
          origin == parent.group.origins.end() ? Origin{parent.file, 0} : origin->second;
    return keys;
  }

  Result<std::vector<std::string>> add_known(const Parent& parent, const std::string& name,
                                             const MergedYaml& overrides) {
    const auto known = entries_.find(name);
    if (known == entries_.end()) return unknown_member(parent, name);
    const Entry& entry = known->second;
    if (entry.kind == EntryKind::group) {
      TARE_TRY(MergedYaml group, load_merged(entry.file));
      TARE_CHECK(add_group(name, entry.file, group, overrides));
      return std::vector{name};
    }
    std::vector<std::string> added;
    const std::vector<std::string> single{name};
    for (const std::string& task : entry.kind == EntryKind::tag ? entry.tasks : single) {
      TARE_TRY(TaskConfig config, load_entry(entries_.find(task)->second, overrides));
      TARE_TRY(std::string put_name, put(std::move(config)));
      added.push_back(std::move(put_name));
    }
    return added;
  }

  /// A mapping with `task: NAME` of a known task may also carry the keys that a group has, such as
  /// metadata; there they belong to the task.
  Result<std::vector<std::string>> add_known_task(const Parent& parent, const std::string& name,
                                                  const Value& member, MergedYaml overrides) {
    const EntryKind kind = entries_.find(name)->second.kind;
    if (kind == EntryKind::task || kind == EntryKind::python_task)
      override_with(overrides, member_keys(parent, member));
    return add_known(parent, name, overrides);
  }

  Result<std::vector<std::string>> add_inline_group(const Parent& parent, const std::string& name,
                                                    const Value& member) {
    const std::string full_name = parent.name + "::" + name;
    TARE_CHECK(add_group(full_name, parent.file, member_keys(parent, member), parent.overrides));
    return std::vector{full_name};
  }

  Result<std::vector<std::string>> add_inline_task(const Parent& parent, const std::string& name,
                                                   const Value& member, MergedYaml overrides) {
    if (member.find("dataset_path") == nullptr && member.find("custom_dataset") == nullptr &&
        overrides.values.find("dataset_path"sv) == nullptr)
      return unknown_member(parent, name);
    override_with(overrides, member_keys(parent, member));
    overrides.values.set("task", parent.name + "::" + name);
    TARE_TRY(TaskConfig config, typed_config(overrides, parent.file));
    TARE_TRY(std::string put_name, put(std::move(config)));
    return std::vector{put_name};
  }

  [[nodiscard]] base::Failure unknown_member(const Parent& parent, const std::string& name) const;

  const Entries& entries_;
  Selection selection_;
  std::string source_;  ///< the word's own name: of the group, or of the task itself
  std::map<std::string, std::string, std::less<>> source_of_;
  std::vector<std::string> open_groups_;
};

std::string did_you_mean(const Entries& entries, const std::string& name) {
  std::vector<std::string> names;
  for (const auto& [known, entry] : entries) names.push_back(known);
  const auto nearest = base::nearest_names(name, names);
  return nearest.empty() ? "" : fmt::format(", did you mean {}?", base::join_or(nearest));
}

base::Failure Selector::unknown_member(const Parent& parent, const std::string& name) const {
  return base::input_error(
      fmt::format("{}: unknown member {}{}", parent.where(), name, did_you_mean(entries_, name)));
}

/// The files that a word ending in .yaml names; globs work in the file name.
Result<std::vector<fs::path>> matching_files(const fs::path& word) {
  const std::string pattern = word.filename().string();
  std::error_code error;
  if (fs::is_regular_file(word, error)) return std::vector{word};
  if (has_glob(word.parent_path().string()))
    return base::input_error(fmt::format(
        "{}: wildcards work in the file name only; name the folder in full", word.string()));
  std::vector<fs::path> files;
  const fs::path folder = word.has_parent_path() ? word.parent_path() : fs::path(".");
  if (has_glob(pattern))
    for (const auto& item : fs::directory_iterator(folder, error))
      if (matches(pattern, item.path().filename().string()))
        files.push_back(word.parent_path() / item.path().filename());
  if (files.empty())
    return base::input_error(
        fmt::format("no file {}; give the path of a task's YAML", word.string()));
  std::ranges::sort(files);
  return files;
}

std::vector<std::string> matching_names(const Entries& entries, const std::string& word) {
  if (entries.contains(word)) return {word};
  std::vector<std::string> names;
  if (has_glob(word))
    for (const auto& [name, entry] : entries)
      if (matches(word, name)) names.push_back(name);
  return names;
}

Status add_names(const Entries& entries, const std::string& word, Selector& selector,
                 std::vector<std::string>& seen) {
  const auto names = matching_names(entries, word);
  if (names.empty())
    return base::input_error(fmt::format(
        "unknown task {}{}", word,
        has_glob(word) ? ": no task, group or tag matches" : did_you_mean(entries, word)));
  for (const std::string& name : names) {
    if (std::ranges::find(seen, name) != seen.end()) continue;
    seen.push_back(name);
    TARE_CHECK(selector.add_name(name));
  }
  return {};
}

/// A task that is not in the index because its file does not parse is told with the fault.
Status check_readable(const std::string& word, const std::vector<std::string>& unreadable) {
  const auto fault = std::ranges::find_if(unreadable, [&](const std::string& entry) {
    const std::string path = entry.substr(0, entry.find(": "));
    return fs::path(path.substr(0, path.rfind(".yaml"))).filename() == word;
  });
  if (fault == unreadable.end()) return {};
  return base::input_error(
      fmt::format("unknown task {}: the file that may define it does not parse: {}", word, *fault));
}

}  // namespace

Result<Selection> Index::select(const std::vector<std::string>& words) const {
  Selector selector(entries_);
  std::vector<std::string> seen;
  std::error_code error;
  for (const std::string& word : words) {
    if (!entries_.contains(word)) TARE_CHECK(check_readable(word, unreadable_));
    const bool folder =
        words.size() == 1 && !entries_.contains(word) && fs::is_directory(word, error);
    if (!folder && !word.ends_with(".yaml")) {
      TARE_CHECK(add_names(entries_, word, selector, seen));
      continue;
    }
    TARE_TRY(const auto files, matching_files(folder ? fs::path(word) / "*.yaml" : fs::path(word)));
    for (const fs::path& file : files) TARE_CHECK(selector.add_file(file));
  }
  return selector.take();
}

}  // namespace tare::task
