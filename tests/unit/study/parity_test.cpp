#include <doctest/doctest.h>
#include <fmt/format.h>

#include "base/json.h"
#include "study/parity.h"
#include "support/support.h"

namespace tare::study {
namespace {

using base::Value;

std::string text_at(const Value& dict, std::string_view key) {
  const Value* found = dict.find(key);
  return found != nullptr && found->is_string() ? found->as_string() : "";
}

std::size_t count_at(const Value& dict, std::string_view key) {
  const Value* found = dict.find(key);
  return found != nullptr ? static_cast<std::size_t>(found->as_int()) : 0;
}

Prompt prompt_of(const Value& value, std::size_t number) {
  Prompt prompt;
  prompt.key = fmt::format("prompt {}", number);
  if (const Value* key = value.find("key")) prompt.key = key->as_string();
  prompt.text = text_at(value, "text");
  if (const Value* messages = value.find("messages"))
    for (const Value& message : messages->items())
      prompt.messages.push_back({message.items()[0].as_string(), message.items()[1].as_string()});
  if (const Value* tokens = value.find("tokens")) {
    prompt.tokens.emplace();
    for (const Value& token : tokens->items())
      prompt.tokens->push_back(static_cast<core::Token>(token.as_int()));
  }
  prompt.truncated = count_at(value, "truncated");
  if (value.find("read") != nullptr) prompt.read = count_at(value, "read");
  return prompt;
}

Side side_of(const Value& value, const char* name) {
  Side side;
  side.name = name;
  if (value.find("bos") != nullptr) side.bos = static_cast<core::Token>(count_at(value, "bos"));
  side.bos_text = text_at(value, "bos_text");
  if (value.find("template") != nullptr) side.template_sha256 = text_at(value, "template");
  side.system = text_at(value, "system");
  for (const Value& prompt : value.find("prompts")->items())
    side.prompts.push_back(prompt_of(prompt, side.prompts.size()));
  return side;
}

/// "missing BOS, right: 2 (prompt 0)".
std::string found(const ParityReport& report) {
  std::string text;
  for (const Finding& finding : report.findings)
    text +=
        fmt::format("{}{}{}: {} ({})", text.empty() ? "" : "; ", fault_name(finding.fault),
                    finding.side.empty() ? "" : ", " + finding.side, finding.prompts, finding.key);
  return text;
}

std::string first(const ParityReport& report) {
  if (!report.first) return "";
  const Difference& d = *report.first;
  return fmt::format("{}, {} {}: {} <> {}", d.key, d.in_tokens ? "token" : "character", d.position,
                     d.left, d.right);
}

}  // namespace

TEST_CASE("each planted fault is found by its name") {
  const Value cases = test::load_cases("study/parity.json");
  for (const Value& one : cases.items()) {
    CAPTURE(text_at(one, "name"));
    const ParityReport report =
        compare_prompts(side_of(*one.find("left"), "left"), side_of(*one.find("right"), "right"));
    CHECK(found(report) == text_at(one, "found"));
    if (one.find("first") != nullptr) CHECK(first(report) == text_at(one, "first"));
    if (one.find("equal") != nullptr) CHECK(report.equal == count_at(one, "equal"));
    if (one.find("incomparable") != nullptr)
      CHECK(report.incomparable == count_at(one, "incomparable"));
    if (one.find("left_only") != nullptr) {
      CHECK(report.left_only == count_at(one, "left_only"));
      CHECK(report.right_only == count_at(one, "right_only"));
    }
  }
}

TEST_CASE("tokens are shown with their text where it is known") {
  Side side;
  side.prompts = {{"k", "ab", {}, std::vector<core::Token>{1, 2}, 0, {}}};
  side.decode = [](std::span<const core::Token> tokens) {
    return std::string(1, static_cast<char>('`' + tokens[0]));
  };
  Side other = side;
  other.prompts[0].tokens = std::vector<core::Token>{1, 3};
  CHECK(first(compare_prompts(side, other)) == "k, token 1: 1 'a' | 2 'b' <> 1 'a' | 3 'c'");
}

}  // namespace tare::study
