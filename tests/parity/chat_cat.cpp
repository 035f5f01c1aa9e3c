// Renders conversations for the comparison with transformers (chat_cases.py): each line of stdin is
// a JSON object {template, messages, continue, variables}, each line of stdout {output,
// system_dropped} or {error}.
#include <string>

#include "base/json.h"
#include "parity/answer_lines.h"
#include "support/chat_case.h"

namespace tare::test {
namespace {

base::Value answer(const std::string& line) {
  const auto request = base::json::parse(line);
  if (!request) return base::Dict{};
  return chat_outcome(request->find("template")->as_string(), *request);
}

}  // namespace
}  // namespace tare::test

int main() {
  tare::test::answer_lines(tare::test::answer);
  return 0;
}
