// The case files hold what the `datasets` library returned; see tests/cases/data/make_cases.py.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "base/json.h"
#include "base/python.h"
#include "data/dataset.h"
#include "support/support.h"

namespace tare::data {
namespace {

using base::Value;

/// The form of the case files: a datetime is {"$datetime": text}. Texts are compared, for they tell
/// 1 from 1.0 and NaN from nothing.
Value plain(const Value& value) {
  if (value.is_datetime()) {
    base::Dict dict;
    dict.set("$datetime", base::python::str(value));
    return dict;
  }
  if (value.is_list()) {
    base::List items;
    for (const Value& item : value.items()) items.push_back(plain(item));
    return items;
  }
  if (value.is_dict()) {
    base::Dict dict;
    for (const auto& [key, item] : value.as_dict()) dict.set(key, plain(item));
    return dict;
  }
  return value;
}

Value plain(const core::Split& split) {
  base::Dict dict;
  dict.set("columns", base::List(split.columns.begin(), split.columns.end()));
  dict.set("rows", plain(Value(split.rows)));
  return dict;
}

void check_case(const Value& test) {
  const test::TempDir folder;
  for (const auto& [name, text] : test.find("files")->as_dict())
    folder.write("repo/" + name.as_string(), text.as_string());
  DatasetSpec spec;
  spec.path = test.find("path")->as_string();
  if (!test.find("config")->is_none()) spec.name = test.find("config")->as_string();
  spec.arguments = *test.find("kwargs");
  const Sources sources{{}, folder.path() / "repo"};
  const auto dataset = open_dataset(spec, sources, {});
  if (const Value* error = test.find("error")) {
    CHECK_MESSAGE(!dataset, "the reference raises " << error->as_string());
    return;
  }
  REQUIRE_MESSAGE(dataset, (dataset ? "" : dataset.error().text));
  const auto& expected = test.find("splits")->as_dict();
  CHECK(dataset->splits.size() == expected.size());
  for (const auto& [name, rows] : expected) {
    const auto found = dataset->splits.find(name.as_string());
    REQUIRE_MESSAGE(found != dataset->splits.end(), "split " << name.as_string());
    CHECK(base::json::dump(plain(found->second)) == base::json::dump(rows));
    // One split alone gives the same rows: its types must not hang on what else was read.
    const auto alone = open_dataset(spec, sources, {name.as_string()});
    REQUIRE(alone);
    CHECK(base::json::dump(plain(alone->splits.at(name.as_string()))) == base::json::dump(rows));
  }
}

void check_file(const std::string& file) {
  const Value cases = test::load_cases("data/" + file);
  for (const Value& test : cases.find("cases")->items()) {
    CAPTURE(test.find("name")->as_string());
    check_case(test);
  }
}

TEST_CASE("JSON as the reference reads it") { check_file("json.json"); }
TEST_CASE("CSV as the reference reads it") { check_file("csv.json"); }
TEST_CASE("text as the reference reads it") { check_file("text.json"); }
TEST_CASE("folders as the reference reads them") { check_file("folders.json"); }

}  // namespace
}  // namespace tare::data
