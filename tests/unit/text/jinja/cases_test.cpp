#include <doctest/doctest.h>

#include <string>

#include "base/python.h"
#include "support/jinja_outcome.h"
#include "support/support.h"

namespace tare::text::jinja {
namespace {

std::string expected_text(const base::Value& test_case) {
  const base::Value* error = test_case.find("error");
  return error != nullptr ? "error " + error->as_string() : test_case.find("output")->as_string();
}

void check(const base::Value& test_case, const base::Value& variables) {
  const std::string& source = test_case.find("template")->as_string();
  const auto outcome =
      test::run_jinja(source, variables, test::jinja_options(test_case.find("options")));
  CAPTURE(base::python::repr(std::string_view(source)));
  CAPTURE(outcome.message);
  CHECK((outcome.error.empty() ? outcome.output : "error " + outcome.error) ==
        expected_text(test_case));
  if (const base::Value* message = test_case.find("message"))
    CHECK(outcome.message == message->as_string());
  if (!outcome.error.empty()) CHECK(outcome.line > 0);
}

}  // namespace

TEST_CASE("templates render, or fail, as jinja2 says") {
  for (const char* topic : {"operators", "errors", "syntax", "filters", "tests", "methods",
                            "indexing", "output", "statements", "whitespace", "chat"}) {
    CAPTURE(topic);
    const base::Value file = test::load_cases("jinja/" + std::string(topic) + ".json");
    REQUIRE(file.find("cases")->items().size() >= 30);
    for (const base::Value& test_case : file.find("cases")->items())
      check(test_case, *file.find("variables"));
  }
}

}  // namespace tare::text::jinja
