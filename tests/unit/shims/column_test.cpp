#include "shims/column.h"

#include <doctest/doctest.h>

#include "base/python.h"
#include "support/support.h"

namespace tare {
namespace {

base::List literal(const base::Value& text) {
  const auto value = base::python::parse_literal(text.as_string());
  REQUIRE_MESSAGE(value, text.as_string());
  return value->items();
}

TEST_CASE("columns come back as the package datasets gives them") {
  const base::Value cases = test::load_cases("shims/columns.json");
  for (const base::Value& given : cases.find("cases")->items()) {
    const std::string after = given.find("after")->as_string();
    CAPTURE(given.find("before")->as_string());
    CAPTURE(after);
    const auto settled =
        shims::settle_column(literal(*given.find("after")), literal(*given.find("before")));
    const std::string found =
        settled ? base::python::repr(base::Value(base::List(*settled))) : "'fails'";
    CHECK(found == given.find("expected")->as_string());
  }
}

}  // namespace
}  // namespace tare
