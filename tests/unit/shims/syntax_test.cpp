#include <doctest/doctest.h>

#include "shims/syntax.h"
#include "shims/token.h"
#include "text/jinja/failure.h"

namespace tare::shims {
namespace {

TEST_CASE("indentation becomes tokens") {
  const auto tokens = tokenize("if a:\n    b\n\n    # note\n    c\nd\n");
  std::string kinds;
  for (const Token& token : tokens) kinds += "nNsolide"[static_cast<int>(token.kind)];
  CHECK(kinds == "nnolinlnldnle");
}

TEST_CASE("brackets join lines and strings keep theirs") {
  const auto tokens = tokenize("f(1,\n  2)\n'''a\nb'''\n");
  CHECK(tokens[0].line == 1);
  CHECK(tokens[4].line == 2);
  CHECK(tokens[7].line == 3);
  CHECK(tokens[7].text == "'''a\nb'''");
}

TEST_CASE("a statement that is not built in is one, with its block, and the next is read") {
  const ModuleCode module = parse_module(
      "@decorated\nclass A(B):\n    x = 1\n\n    def f(self):\n        yield 1\n\ny = 2\n");
  REQUIRE(module.body.size() == 2);
  CHECK(std::holds_alternative<Unsupported>(module.body[0].node));
  CHECK(std::holds_alternative<Assign>(module.body[1].node));
  CHECK(module.body[1].line == 8);
}

TEST_CASE("what is no Python is an error") {
  CHECK_THROWS_AS(static_cast<void>(parse_module("x = 'open\n")), text::jinja::Failure);
  CHECK_THROWS_AS(static_cast<void>(parse_module("if a:\n        b\n    c\n")),
                  text::jinja::Failure);
}

}  // namespace
}  // namespace tare::shims
