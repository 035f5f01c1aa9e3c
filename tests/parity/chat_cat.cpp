// Renders conversations for the comparison with transformers (chat_cases.py): each line of stdin is
// a JSON object {template, messages, continue, variables}, each line of stdout {output,
// system_dropped} or {error}.
#include <iostream>
#include <string>

#include "base/json.h"
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
  for (std::string line; std::getline(std::cin, line);)
    std::cout << tare::base::json::dump(tare::test::answer(line)) << '\n' << std::flush;
  return 0;
}
