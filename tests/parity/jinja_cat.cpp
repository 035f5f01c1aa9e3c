// Renders templates for the comparison with jinja2 (jinja_*.py): each line of stdin is a JSON
// object {template, variables, options}, each line of stdout {output} or {error, message, line}.
#include <string>

#include "base/json.h"
#include "parity/answer_lines.h"
#include "support/jinja_outcome.h"

namespace tare::test {
namespace {

base::Value answer(const std::string& line) {
  base::Dict out;
  const auto request = base::json::parse(line);
  if (!request) {
    out.set("error", "Request");
    out.set("message", request.error().text);
    return out;
  }
  const base::Value* variables = request->find("variables");
  const base::Value none{base::Dict{}};
  const JinjaOutcome outcome =
      run_jinja(request->find("template")->as_string(), variables != nullptr ? *variables : none,
                jinja_options(request->find("options")));
  if (outcome.error.empty()) {
    out.set("output", outcome.output);
    return out;
  }
  out.set("error", outcome.error);
  out.set("message", outcome.message);
  out.set("line", outcome.line);
  return out;
}

}  // namespace
}  // namespace tare::test

int main() {
  tare::test::answer_lines(tare::test::answer);
  return 0;
}
