#include <doctest/doctest.h>

#include "support.h"

namespace tare::worker {
namespace {

using base::Dict;
using base::List;
using base::Value;
using core::FunctionUse;

constexpr const char* kOutcome =
    "import evaluate\n"
    "def f(program):\n"
    "    pass_at, results = evaluate.load('code_eval').compute(\n"
    "        references=[''], predictions=[[program]], k=[1], timeout=1.0)\n"
    "    return [pass_at['pass@1'], results[0][0][1]['result']]\n";

std::unique_ptr<PythonFunctions> start_with_programs() {
  PythonOptions options;
  options.run_unsafe_code = true;
  return start_worker(options);
}

TEST_CASE("programs are judged, and can do no harm") {
  if (!have_namespaces()) return;
  const test::TempDir dir;
  const auto functions = start_with_programs();
  const auto function = helper(dir, "utils.f", kOutcome);
  CHECK(functions->identity().find("program_sandbox")->as_string() == "namespaces");
  const Value cases = test::load_cases("worker/programs.json");
  for (const Value& test : cases.find("cases")->items()) {
    CAPTURE(test.find("name")->as_string());
    const List arguments{*test.find("program")};
    const auto result = functions->call(function, FunctionUse::document_field, arguments);
    if (!result) FAIL(result.error().text);
    const std::string outcome = result->items()[1].as_string();
    CHECK(outcome == test.find("outcome")->as_string());
    CHECK(result->items()[0].as_number() == (outcome == "passed" ? 1.0 : 0.0));
  }
}

TEST_CASE("pass@k is the unbiased estimate") {
  if (!have_namespaces()) return;
  const test::TempDir dir;
  const auto functions = start_with_programs();
  const auto function = helper(dir, "utils.f",
                               "import evaluate\n"
                               "def f(references, predictions, k):\n"
                               "    return evaluate.load('code_eval').compute(\n"
                               "        references=references, predictions=predictions, k=k)[0]\n");
  Dict arguments;
  arguments.set("k", List{1, 2, 4, 5});
  const List given{
      List{"assert x == 1", "assert x == 2"},
      List{List{"x = 1", "x = 2", "x = 1", "x = 3"}, List{"x = 2", "x = 3", "x = 4", "x = 5"}},
      arguments};
  const auto result = functions->call(function, FunctionUse::metric, given);
  if (!result) FAIL(result.error().text);
  // Two of four and one of four are right: 1 - C(n-c, k)/C(n, k), and k = 5 is more than there are.
  CHECK(result->as_dict().size() == 3);
  CHECK(result->find("pass@1")->as_number() == doctest::Approx((0.5 + 0.25) / 2));
  CHECK(result->find("pass@2")->as_number() == doctest::Approx((5.0 / 6 + 0.5) / 2));
  CHECK(result->find("pass@4")->as_number() == doctest::Approx(1.0));
}

/// An interpreter that may make no user namespace, as on systems that forbid them.
std::filesystem::path python_without_namespaces(const test::TempDir& dir) {
  const auto script =
      dir.write("python",
                "#!/bin/sh\n"
                "exec unshare -Ur sh -c 'echo 0 >/proc/sys/user/max_user_namespaces; "
                "exec python3 \"$@\"' sh \"$@\"\n");
  std::filesystem::permissions(script, std::filesystem::perms::owner_all);
  return script;
}

TEST_CASE("where no namespaces can be had, functions run with a warning and programs are refused") {
  if (!have_namespaces()) return;
  const test::TempDir dir;
  PythonOptions options;
  options.interpreter = python_without_namespaces(dir);
  const auto functions = start_worker(options);
  CHECK(functions->warning().find("run with access to the network") != std::string::npos);
  CHECK(*functions->identity().find("network") == Value("as the user's"));
  options.run_unsafe_code = true;
  const auto refused = PythonFunctions::start(options);
  REQUIRE_FALSE(refused.has_value());
  CHECK(refused.error().kind == base::ErrorKind::input);
  CAPTURE(refused.error().text);
  CHECK(refused.error().text.find("can't be confined here, so they are not run (namespaces: ") !=
        std::string::npos);
  CHECK(refused.error().text.find("leave out --confirm-run-unsafe-code") != std::string::npos);
}

}  // namespace
}  // namespace tare::worker
