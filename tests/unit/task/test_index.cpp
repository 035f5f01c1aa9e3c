#include <doctest/doctest.h>

#include "cases.h"
#include "task/fields.h"

namespace tare::test {
namespace {

using base::Dict;
using base::List;
using base::Value;

std::vector<std::filesystem::path> roots_of(const Value& test, const TempDir& folder) {
  std::vector<std::filesystem::path> roots;
  const Value given = at(test, "roots");
  if (given.is_none()) return {folder.path()};
  for (const Value& root : given.items()) roots.push_back(folder.path() / root.as_string());
  return roots;
}

Value entries_value(const task::Index& index, const TempDir& folder) {
  static constexpr const char* kKinds[] = {"task", "group", "python", "tag"};
  Dict dict;
  for (const auto& [name, entry] : index.entries()) {
    List shown{kKinds[static_cast<int>(entry.kind)]};
    if (entry.kind == task::EntryKind::tag) {
      shown.emplace_back(List(entry.tasks.begin(), entry.tasks.end()));
    } else {
      shown.emplace_back(without_folder(entry.file.string(), folder));
    }
    dict.set(name, std::move(shown));
  }
  return dict;
}

Value lines_value(const std::vector<std::string>& lines, const TempDir& folder) {
  List list;
  for (const std::string& line : lines) list.emplace_back(without_folder(line, folder));
  return list;
}

TEST_CASE("an index names what the folders define") {
  for_each_case("index.json", [](const Value& test) {
    const TempDir folder;
    write_files(folder, at(test, "files"));
    const auto index = task::Index::scan(roots_of(test, folder));
    if (expects_error(test, index ? nullptr : &index.error(), folder)) return;
    CHECK_EQ(dumped(entries_value(*index, folder)), dumped(at(test, "entries")));
    if (at(test, "hidden").is_list())
      CHECK_EQ(dumped(lines_value(index->hidden(), folder)), dumped(at(test, "hidden")));
    if (at(test, "unreadable").is_list())
      CHECK_EQ(dumped(lines_value(index->unreadable(), folder)), dumped(at(test, "unreadable")));
  });
}

Value groups_value(const task::Selection& selection) {
  Dict dict;
  for (const task::GroupConfig& group : selection.groups)
    dict.set(group.name, List(group.children.begin(), group.children.end()));
  return dict;
}

/// The keys of each task that the case asks for, by task name.
Value keys_value(const task::Selection& selection, const Value& expected) {
  Dict dict;
  for (const auto& [name, keys] : expected.as_dict())
    for (const task::TaskConfig& config : selection.tasks) {
      if (config.task != name.as_string()) continue;
      Dict found;
      for (const auto& [key, value] : keys.as_dict())
        found.set(key, at(config.merged, key.as_string()));
      dict.set(name, std::move(found));
    }
  return dict;
}

TEST_CASE("--tasks words become tasks and groups") {
  for_each_case("select.json", [](const Value& test) {
    const TempDir folder;
    write_files(folder, at(test, "files"));
    const auto index =
        at(test, "no_index").truthy() ? task::Index{} : *task::Index::scan(roots_of(test, folder));
    std::vector<std::string> words;
    for (const Value& word : at(test, "words").items()) {
      std::string text = word.as_string();
      if (text.starts_with("DIR")) text.replace(0, 3, folder.path().string());
      words.push_back(std::move(text));
    }
    const auto selection = index.select(words);
    if (expects_error(test, selection ? nullptr : &selection.error(), folder)) return;
    List names;
    for (const task::TaskConfig& config : selection->tasks) names.emplace_back(config.task);
    CHECK_EQ(dumped(names), dumped(at(test, "tasks")));
    if (at(test, "groups").is_dict())
      CHECK_EQ(dumped(groups_value(*selection)), dumped(at(test, "groups")));
    if (at(test, "keys").is_dict())
      CHECK_EQ(dumped(keys_value(*selection, at(test, "keys"))), dumped(at(test, "keys")));
  });
}

}  // namespace
}  // namespace tare::test
