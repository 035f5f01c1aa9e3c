#include <doctest/doctest.h>

#include "support.h"
#include "worker/function_chain.h"

namespace tare::worker {
namespace {

using base::List;
using base::Value;
using core::FunctionUse;

/// Knows one name and answers with a text.
class Twin final : public core::Functions {
 public:
  [[nodiscard]] bool knows(const core::FunctionRef& function, FunctionUse) const override {
    return function.name == "utils.known";
  }
  base::Result<Value> call(const core::FunctionRef&, FunctionUse, std::span<const Value>) override {
    return Value("native");
  }
};

std::vector<std::unique_ptr<core::Functions>> twin() {
  std::vector<std::unique_ptr<core::Functions>> links;
  links.push_back(std::make_unique<Twin>());
  return links;
}

constexpr const char* kCode =
    "def known(doc):\n    return 'python'\ndef other(doc):\n    return 'python'\n";

TEST_CASE("without Python an unknown function is refused with the remedy") {
  const test::TempDir dir;
  const auto open = open_functions(twin(), nullptr);
  REQUIRE(open.has_value());
  CHECK(open->python == nullptr);
  const auto known = helper(dir, "utils.known", kCode);
  const auto other = helper(dir, "utils.other", kCode);
  CHECK(open->chain->knows(known, FunctionUse::samples));
  CHECK_FALSE(open->chain->knows(other, FunctionUse::samples));
  CHECK(*open->chain->call(known, FunctionUse::samples, {}) == Value("native"));
  const auto refused = open->chain->call(other, FunctionUse::samples, {});
  REQUIRE_FALSE(refused.has_value());
  CHECK(refused.error().kind == base::ErrorKind::input);
  CHECK(refused.error().text == "!function utils.other (helper file SHA-256 " +
                                    other.sha256.substr(0, 12) +
                                    "…) is Python that tare has no native twin for; run it with "
                                    "--allow-python, or choose a task without it");
}

TEST_CASE("a native twin goes before Python") {
  const test::TempDir dir;
  const PythonOptions python;
  const auto open = open_functions(twin(), &python);
  REQUIRE(open.has_value());
  REQUIRE(open->python != nullptr);
  const List document{Value()};
  CHECK(*open->chain->call(helper(dir, "utils.known", kCode), FunctionUse::document_field,
                           document) == Value("native"));
  CHECK(*open->chain->call(helper(dir, "utils.other", kCode), FunctionUse::document_field,
                           document) == Value("python"));
}

TEST_CASE("Python alone") {
  const PythonOptions python;
  const auto open = open_functions({}, &python);
  REQUIRE(open.has_value());
  CHECK(open->chain->knows({"json.dumps", {}, {}, {}}, FunctionUse::samples));
}

}  // namespace
}  // namespace tare::worker
