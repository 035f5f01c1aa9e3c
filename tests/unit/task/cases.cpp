#include "cases.h"

#include <doctest/doctest.h>

#include "base/json.h"
#include "base/python.h"

namespace tare::test {

using base::Value;

void for_each_case(const std::string& file, const std::function<void(const Value&)>& check) {
  const Value cases = load_cases("task/" + file);
  REQUIRE(!cases.items().empty());
  for (const Value& test : cases.items()) {
    const std::string name = at(test, "name").as_string();
    CAPTURE(name);
    REQUIRE(at(test, "source").is_string());
    check(test);
  }
}

Value at(const Value& value, std::string_view key) {
  const Value* found = value.find(key);
  return found == nullptr ? Value{} : *found;
}

void write_files(const TempDir& folder, const Value& files) {
  for (const auto& [path, text] : files.as_dict()) folder.write(path.as_string(), text.as_string());
}

std::string without_folder(std::string text, const TempDir& folder) {
  const std::string path = folder.path().string();
  for (auto at = text.find(path); at != std::string::npos; at = text.find(path, at))
    text.replace(at, path.size(), "DIR");
  return text;
}

std::string dumped(const Value& value) {
  return base::json::dump(value);
}

bool expects_error(const Value& test, const base::Error* error, const TempDir& folder) {
  const Value expected = at(test, "error");
  const std::string found = error == nullptr ? "" : without_folder(error->text, folder);
  CHECK_EQ(found, expected.is_none() ? "" : expected.as_string());
  return !expected.is_none() || error != nullptr;
}

core::Dataset dataset_of(const Value& splits) {
  core::Dataset dataset;
  for (const auto& [name, rows] : splits.as_dict()) {
    core::Split& split = dataset.splits[name.as_string()];
    split.rows = rows.items();
    if (split.rows.empty()) continue;
    for (const auto& [column, value] : split.rows.front().as_dict())
      split.columns.push_back(column.as_string());
  }
  return dataset;
}

}  // namespace tare::test
