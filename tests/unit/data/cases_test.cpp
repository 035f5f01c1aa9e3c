// The case files hold what the `datasets` library returned; see tests/cases/data/make_cases.py.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "base/json.h"
#include "data/dataset.h"
#include "plain.h"
#include "support/support.h"

namespace tare::data {
namespace {

using base::Value;

void check_case(const Value& test) {
  const test::TempDir folder;
  for (const auto& [name, text] : test.find("files")->as_dict())
    folder.write("repo/" + name.as_string(), text.as_string());
  DatasetSpec spec;
  spec.path = test.find("path")->as_string();
  if (!test.find("config")->is_none()) spec.name = test.find("config")->as_string();
  spec.arguments = *test.find("kwargs");
  const Sources sources{{}, {folder.path() / "repo"}};
  const auto dataset = open_dataset(spec, sources, {});
  if (const Value* error = test.find("error")) {
    CHECK_MESSAGE(!dataset, "the reference raises " << error->as_string());
    return;
  }
  REQUIRE_MESSAGE(dataset, (dataset ? "" : dataset.error().text));
  const auto& expected = test.find("splits")->as_dict();
  CHECK(dataset->splits.size() == expected.size());
  for (const auto& [key, rows] : expected) {
    const std::string& name = key.as_string();
    const auto found = dataset->splits.find(name);
    REQUIRE_MESSAGE(found != dataset->splits.end(), "split " << name);
    CHECK(base::json::dump(test::plain(found->second)) == base::json::dump(rows));
    // One split alone gives the same rows: its types must not hang on what else was read.
    const auto alone = open_dataset(spec, sources, {name});
    REQUIRE(alone);
    CHECK(base::json::dump(test::plain(alone->splits.at(name))) == base::json::dump(rows));
  }
}

void check_file(const std::string& file) {
  const Value cases = test::load_cases("data/" + file);
  for (const Value& test : cases.find("cases")->items()) {
    CAPTURE(test.find("name")->as_string());
    check_case(test);
  }
}

TEST_CASE("JSON as the reference reads it") {
  check_file("json.json");
}
TEST_CASE("CSV as the reference reads it") {
  check_file("csv.json");
}
TEST_CASE("text as the reference reads it") {
  check_file("text.json");
}
TEST_CASE("folders as the reference reads them") {
  check_file("folders.json");
}

}  // namespace
}  // namespace tare::data
