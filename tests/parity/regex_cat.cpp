// Runs regular expressions for the comparison with Python's re (regex_*.py): each line of stdin is
// a JSON object {pattern, texts, replacement}, each line of stdout {error} or {groups, outcomes:
// [{find, sub, split, match, full}]}, one outcome a text.
#include <string>

#include "base/json.h"
#include "parity/answer_lines.h"
#include "text/regex.h"

namespace tare::test {
namespace {

using base::Dict;
using base::List;
using base::Value;

Value text_or_none(const std::optional<std::string>& text) {
  return text ? Value(*text) : Value();
}

Value listed(const std::vector<std::optional<std::string>>& texts) {
  List out;
  for (const auto& text : texts) out.push_back(text_or_none(text));
  return out;
}

Value listed(const std::vector<text::RegexMatch>& matches) {
  List out;
  for (const auto& match : matches) out.push_back(listed(match.groups));
  return out;
}

Value listed(const std::optional<text::RegexMatch>& match) {
  return match ? listed(match->groups) : Value();
}

Value listed(const std::string& text) {
  return text;
}

template <class T>
Value outcome(const base::Result<T>& result) {
  if (result) return listed(*result);
  Dict error;
  error.set("error", result.error().text);
  return error;
}

Value run_one(const text::Regex& regex, const std::string& text, const std::string& replacement) {
  Dict out;
  out.set("find", outcome(regex.find_all(text)));
  out.set("sub", outcome(regex.sub(text, replacement)));
  out.set("split", outcome(regex.split(text)));
  out.set("match", outcome(regex.match(text)));
  out.set("full", outcome(regex.full_match(text)));
  return out;
}

Value answer(const std::string& line) {
  Dict out;
  const auto request = base::json::parse(line).value();
  const auto regex = text::Regex::compile(request.find("pattern")->as_string());
  if (!regex) {
    out.set("error", regex.error().text);
    return out;
  }
  List outcomes;
  for (const Value& text : request.find("texts")->items())
    outcomes.push_back(run_one(*regex, text.as_string(), request.find("replacement")->as_string()));
  out.set("groups", regex->group_count());
  out.set("outcomes", std::move(outcomes));
  return out;
}

}  // namespace
}  // namespace tare::test

int main() {
  tare::test::answer_lines(tare::test::answer);
  return 0;
}
