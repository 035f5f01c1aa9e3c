#include <doctest/doctest.h>

#include "base/hash.h"
#include "base/python.h"
#include "shims/native_functions.h"
#include "support/support.h"

namespace tare {
namespace {

using base::Value;

core::FunctionUse use_of(const std::string& name) {
  for (int i = 0; i <= static_cast<int>(core::FunctionUse::custom_dataset); ++i)
    if (shims::use_name(static_cast<core::FunctionUse>(i)) == name)
      return static_cast<core::FunctionUse>(i);
  FAIL("no such use: " << name);
  return core::FunctionUse::document_field;
}

/// repr of the result, or "error: " and its text.
std::string outcome(const std::filesystem::path& file, const Value& given) {
  core::FunctionRef function{"helper." + given.find("function")->as_string(), file.parent_path(),
                             file, base::sha256_file(file).value_or("")};
  const auto arguments = base::python::parse_literal(given.find("arguments")->as_string());
  REQUIRE_MESSAGE(arguments, given.find("arguments")->as_string());
  shims::NativeFunctions every{shims::Table()};
  const auto result =
      every.call(function, use_of(given.find("use")->as_string()), arguments->items());
  return result ? base::python::repr(*result) : "error: " + result.error().text;
}

TEST_CASE("helper functions give what CPython gives") {
  const test::TempDir folder;
  const Value cases = test::load_cases("shims/functions.json");
  for (const Value& given : cases.find("cases")->items()) {
    const std::string name = given.find("name")->as_string();
    CAPTURE(name);
    const auto file = folder.write(name + "/helper.py", given.find("source_code")->as_string());
    CHECK(outcome(file, given) == given.find("expected")->as_string());
  }
}

TEST_CASE("what is not built in is refused with its name and line") {
  const test::TempDir folder;
  const Value cases = test::load_cases("shims/refused.json");
  for (const Value& given : cases.find("cases")->items()) {
    const std::string name = given.find("name")->as_string();
    CAPTURE(name);
    const auto file = folder.write(name + "/helper.py", given.find("source_code")->as_string());
    const std::string text = outcome(file, given);
    CAPTURE(text);
    CHECK(text.starts_with("error: !function helper." + given.find("function")->as_string()));
    CHECK(text.find(given.find("wanted")->as_string()) != std::string::npos);
  }
}

}  // namespace
}  // namespace tare
