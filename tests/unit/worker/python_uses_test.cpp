#include <doctest/doctest.h>

#include <filesystem>

#include "base/json.h"
#include "support.h"
#include "worker/values.h"

namespace tare::worker {
namespace {

using base::Value;
using core::FunctionUse;

FunctionUse use_named(const std::string& name) {
  const std::vector<std::pair<std::string, FunctionUse>> uses{
      {"documents", FunctionUse::documents},     {"document_field", FunctionUse::document_field},
      {"results", FunctionUse::results},         {"metric", FunctionUse::metric},
      {"aggregation", FunctionUse::aggregation}, {"filter", FunctionUse::filter},
      {"samples", FunctionUse::samples},         {"custom_dataset", FunctionUse::custom_dataset}};
  for (const auto& [known, use] : uses)
    if (known == name) return use;
  FAIL("no use named " << name);
  return {};
}

bool can_run(const Value& test, PythonFunctions& functions) {
  const Value* needs = test.find("needs");
  if (needs == nullptr) return true;
  if (needs->as_string() == "namespaces") return have_namespaces();
  const core::FunctionRef package{needs->as_string() + ".x", {}, {}, {}};
  if (functions.knows(package, FunctionUse::samples)) return true;
  test::skip("the Python package " + needs->as_string());
  return false;
}

std::string with_folder(std::string text, const std::filesystem::path& folder) {
  const std::string mark = "$FOLDER";
  if (const auto at = text.find(mark); at != std::string::npos)
    text.replace(at, mark.size(), folder.string());
  return text;
}

void run_case(const Value& test, PythonFunctions& functions) {
  CAPTURE(test.find("name")->as_string());
  if (!can_run(test, functions)) return;
  const test::TempDir dir;
  if (const Value* files = test.find("files"))
    for (const auto& [name, text] : files->as_dict()) dir.write(name.as_string(), text.as_string());
  const auto function =
      helper(dir, test.find("function")->as_string(), test.find("code")->as_string());
  const auto arguments = untagged(*test.find("arguments"));
  REQUIRE(arguments.has_value());
  const auto use = use_named(test.find("use")->as_string());
  REQUIRE(functions.knows(function, use));
  const auto result = functions.call(function, use, arguments->items());
  if (const Value* error = test.find("error")) {
    REQUIRE_FALSE(result.has_value());
    CAPTURE(result.error().text);
    CHECK(result.error().text.find(with_folder(error->as_string(), dir.path())) !=
          std::string::npos);
    CHECK(result.error().text.find('\n') == std::string::npos);
  } else {
    if (!result) FAIL(result.error().text);
    // As text, where 1, 1.0 and True differ.
    CHECK(base::json::dump(tagged(*result)) == base::json::dump(*test.find("value")));
  }
}

TEST_CASE("each use of a Python function, its values and its failures") {
  const Value cases = test::load_cases("worker/uses.json");
  const auto shared = start_worker();
  for (const Value& test : cases.find("cases")->items())
    run_case(test, test.find("fresh") != nullptr ? *start_worker() : *shared);
}

}  // namespace
}  // namespace tare::worker
