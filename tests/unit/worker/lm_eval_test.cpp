#include <doctest/doctest.h>

#include <cstdlib>
#include <optional>

#include "support.h"

namespace tare::worker {
namespace {

namespace fs = std::filesystem;
using base::Dict;
using base::List;
using base::Value;
using core::FunctionUse;

/// A function of a helper in lm-eval's own task folder, or nothing, said as a skipped test.
std::optional<core::FunctionRef> shipped(const std::string& task, const std::string& name) {
  const char* folder = std::getenv("TARE_LM_EVAL");
  const fs::path file = fs::path(folder == nullptr ? "" : folder) / task / "utils.py";
  if (folder == nullptr || !fs::exists(file)) {
    test::skip("lm-eval's task files (TARE_LM_EVAL)");
    return std::nullopt;
  }
  return core::FunctionRef{name, file.parent_path(), file, *base::sha256_file(file)};
}

Value call(PythonFunctions& functions, const core::FunctionRef& function, FunctionUse use,
           const List& arguments) {
  auto result = functions.call(function, use, arguments);
  if (!result) FAIL(result.error().text);
  return *result;
}

std::unique_ptr<PythonFunctions> start_with_programs() {
  PythonOptions options;
  options.run_unsafe_code = true;
  return start_worker(options);
}

TEST_CASE("humaneval's own helpers build and judge programs") {
  const auto build = shipped("humaneval", "utils.build_predictions");
  const auto judge = shipped("humaneval", "utils.pass_at_k");
  if (!build || !judge || !have_namespaces()) return;
  const auto functions = start_with_programs();
  Dict document;
  document.set("prompt", "def double(x):\n");
  const List responses{List{"    return 2 * x\n", "    return x\n"}};
  const Value programs =
      call(*functions, *build, FunctionUse::filter, {responses, List{document}, Value(Dict{})});
  Dict arguments;
  arguments.set("k", List{1, 2});
  const Value score = call(*functions, *judge, FunctionUse::metric,
                           {List{"assert double(4) == 8"}, programs, arguments});
  CHECK(*score.find("pass@1") == Value(0.5));
  CHECK(*score.find("pass@2") == Value(1.0));
}

TEST_CASE("mbpp's own helpers cut code out of an answer and judge it") {
  const auto build = shipped("mbpp", "utils.build_predictions");
  const auto judge = shipped("mbpp", "utils.pass_at_1");
  const auto samples = shipped("mbpp", "utils.list_fewshot_samples");
  if (!build || !judge || !samples || !have_namespaces()) return;
  const auto functions = start_with_programs();
  const Value programs = call(
      *functions, *build, FunctionUse::filter,
      {List{List{"python\ndef f(x):\n    return x\n```\nAs asked."}}, List{Dict{}}, Value(Dict{})});
  const Value& program = programs.items()[0].items()[0];
  CHECK(program == Value("def f(x):\n    return x"));
  const auto score = [&](const char* test) {
    return call(*functions, *judge, FunctionUse::metric,
                {List{test}, List{program}, Value(Dict{})});
  };
  CHECK(score("assert f(1) == 1") == Value(1.0));
  CHECK(score("assert f(1) == 2") == Value(0.0));
  CHECK(call(*functions, *samples, FunctionUse::samples, {}).items().size() == 3);
}

TEST_CASE("without permission humaneval's helper is refused when it is loaded") {
  const auto judge = shipped("humaneval", "utils.pass_at_k");
  if (!judge) return;
  const auto functions = start_worker();
  const auto result = functions->call(*judge, FunctionUse::metric, {});
  REQUIRE_FALSE(result.has_value());
  CHECK(result.error().text.find("allow it with --confirm-run-unsafe-code") != std::string::npos);
}

/// An interpreter that has what lm-eval's ifeval imports, or nothing, said as a skipped test.
std::unique_ptr<PythonFunctions> start_for_ifeval() {
  PythonOptions options;
  if (const char* interpreter = std::getenv("TARE_LM_EVAL_PYTHON"))
    options.interpreter = interpreter;
  auto functions = start_worker(options);
  for (const char* package : {"nltk", "langdetect", "immutabledict", "packaging"}) {
    const core::FunctionRef inside{std::string(package) + ".x", {}, {}, {}};
    if (functions->knows(inside, FunctionUse::results)) continue;
    test::skip(std::string("ifeval's checkers, which need the Python package ") + package +
               " (TARE_LM_EVAL_PYTHON)");
    return nullptr;
  }
  return functions;
}

Value ifeval_document(const char* instruction, Dict arguments) {
  Dict document;
  document.set("key", 1);
  document.set("prompt", "Say something.");
  document.set("instruction_id_list", List{"punctuation:no_comma", instruction});
  document.set("kwargs", List{Dict{}, std::move(arguments)});
  return document;
}

TEST_CASE("ifeval's own checkers judge answers") {
  const auto check = shipped("ifeval", "utils.process_results");
  const auto aggregate = shipped("ifeval", "utils.agg_inst_level_acc");
  if (!check || !aggregate) return;
  const auto functions = start_for_ifeval();
  if (functions == nullptr) return;
  Dict words;
  words.set("relation", "at least");
  words.set("num_words", 3);
  const Value document = ifeval_document("length_constraints:number_words", words);
  const auto judge = [&](const char* answer) {
    return call(*functions, *check, FunctionUse::results, {document, List{answer}});
  };
  const Value good = judge("one two three");
  CHECK(*good.find("prompt_level_strict_acc") == Value(true));
  const Value bad = judge("one, two three");
  CHECK(*bad.find("prompt_level_loose_acc") == Value(false));
  CHECK(*bad.find("inst_level_strict_acc") == Value(List{false, true}));
  const List all{*good.find("inst_level_strict_acc"), *bad.find("inst_level_strict_acc")};
  CHECK(call(*functions, *aggregate, FunctionUse::aggregation, {Value(all)}) == Value(0.75));
}

}  // namespace
}  // namespace tare::worker
