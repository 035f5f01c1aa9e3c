// Answers for the comparison of the benchmarks' steps with their definitions and with Python
// packages (backend_study.py): each line of stdin is a JSON object, {function, use, arguments} for
// a call of tare.NAME, {answer, options} for a letter, {prediction, reference, arguments} for
// lm-eval's exact match; each line of stdout is {output} or {error}.
#include <string>

#include "base/json.h"
#include "benchmarks/functions.h"
#include "parity/answer_lines.h"
#include "score/exact_match.h"
#include "score/letter.h"

namespace tare::test {
namespace {

using base::Result;
using base::Value;

core::FunctionUse use_of(const std::string& name) {
  if (name == "documents") return core::FunctionUse::documents;
  return name == "results" ? core::FunctionUse::results : core::FunctionUse::aggregation;
}

Result<Value> call(const Value& request) {
  benchmarks::Functions functions;
  const core::FunctionRef function{request.find("function")->as_string(), {}, {}, {}};
  return functions.call(function, use_of(request.find("use")->as_string()),
                        request.find("arguments")->items());
}

Result<Value> letter(const Value& request) {
  std::vector<std::string> options;
  for (const Value& option : request.find("options")->items())
    options.push_back(option.as_string());
  TARE_TRY(const auto choice, score::choose_letter(request.find("answer")->as_string(), options));
  return choice.option ? Value(*choice.option) : Value(score::fault_name(choice.fault));
}

Result<Value> exact_match(const Value& request) {
  TARE_TRY(const auto match, score::ExactMatch::compile(*request.find("arguments")));
  TARE_TRY(const bool equal, match.equal(request.find("prediction")->as_string(),
                                         request.find("reference")->as_string()));
  return Value(equal);
}

Value answer(const std::string& line) {
  const Value request = base::json::parse(line).value();
  return outcome(request.find("function") != nullptr  ? call(request)
                 : request.find("options") != nullptr ? letter(request)
                                                      : exact_match(request));
}

}  // namespace
}  // namespace tare::test

int main() {
  tare::test::answer_lines(tare::test::answer);
  return 0;
}
