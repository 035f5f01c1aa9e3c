#include <doctest/doctest.h>

#include "cases.h"
#include "task/head.h"

namespace tare::test {
namespace {

using base::Dict;
using base::List;
using base::Value;

Value name_value(const std::optional<std::string>& name) {
  return name ? Value(*name) : Value{};
}

Value head_value(const task::Head& head) {
  Dict dict;
  if (head.task) dict.set("task", name_value(*head.task));
  if (head.group) dict.set("group", name_value(*head.group));
  if (head.tags) dict.set("tag", List(head.tags->begin(), head.tags->end()));
  if (head.includes) dict.set("include", List(head.includes->begin(), head.includes->end()));
  if (head.python) dict.set("class", true);
  return dict;
}

TEST_CASE("the line scanner sees what a parser sees, or gives up") {
  for_each_case("head.json", [](const Value& test) {
    const std::string text = at(test, "yaml").as_string();
    const auto scanned = task::scan_head(text);
    const auto parsed = task::parse_head(text, "x.yaml");
    REQUIRE(parsed.has_value());
    CHECK_EQ(dumped(head_value(*parsed)), dumped(at(test, "head")));
    CHECK_EQ(scanned.has_value(), at(test, "scans").as_bool());
    if (scanned) CHECK_EQ(dumped(head_value(*scanned)), dumped(at(test, "head")));
  });
}

}  // namespace
}  // namespace tare::test
