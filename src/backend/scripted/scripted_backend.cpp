#include "backend/scripted/scripted_backend.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "base/files.h"
#include "base/hash.h"
#include "base/json.h"
#include "base/python_random.h"

namespace tare::backend::scripted {
namespace {

using base::Result;
using base::Value;
using core::Token;

constexpr Token kPrefixToken = 256;

/// Bytes as tokens; the prefix token has no text.
class ByteTokenizer final : public core::Tokenizer {
 public:
  [[nodiscard]] std::vector<Token> encode(std::string_view text, bool) const override {
    std::vector<Token> tokens(text.size());
    std::transform(text.begin(), text.end(), tokens.begin(),
                   [](char c) { return Token{static_cast<unsigned char>(c)}; });
    return tokens;
  }
  [[nodiscard]] std::optional<Token> prefix_token() const override { return kPrefixToken; }
  [[nodiscard]] std::string prefix_text() const override { return ""; }
};

std::string text_of(std::span<const Token> tokens) {
  std::string text;
  for (Token token : tokens)
    if (token < kPrefixToken) text += static_cast<char>(token);
  return text;
}

/// An answer and what a request must look like to get it; an absent pattern matches all.
struct Rule {
  std::optional<std::string> continuation;      ///< equal to the scored text
  std::optional<std::string> context_contains;  ///< somewhere in the text before it
  core::LogLikelihood answer;
};

struct Script {
  std::string sha256;
  std::size_t context_length = 0;
  double seconds_per_item = 0;  ///< to act like a slow model
  std::vector<Rule> rules;      ///< the first that matches answers
};

Result<std::optional<std::string>> optional_text(const Value& rule, const char* key) {
  const Value* value = rule.find(key);
  if (value == nullptr) return std::optional<std::string>();
  if (!value->is_string())
    return base::input_error(fmt::format("{} is {}, wanted text", key, base::json::dump(*value)));
  return std::optional(value->as_string());
}

Result<Rule> parse_rule(const Value& value) {
  Rule rule;
  if (!value.is_dict()) return base::input_error("is no object");
  TARE_TRY(rule.continuation, optional_text(value, "continuation"));
  TARE_TRY(rule.context_contains, optional_text(value, "context_contains"));
  const Value* sum = value.find("log_likelihood");
  if (sum == nullptr || !sum->is_number())
    return base::input_error("log_likelihood is missing or no number");
  rule.answer.sum = sum->as_number();
  if (const Value* greedy = value.find("greedy")) rule.answer.greedy = greedy->truthy();
  return rule;
}

Result<std::vector<Rule>> parse_rules(const Value& root) {
  const Value* list = root.find("rules");
  if (list == nullptr || !list->is_list())
    return base::input_error("rules is missing or no list of objects");
  std::vector<Rule> rules;
  for (std::size_t i = 0; i < list->items().size(); ++i) {
    auto rule = parse_rule(list->items()[i]);
    if (!rule) return base::in_context(fmt::format("rules[{}]", i), rule.error());
    rules.push_back(std::move(*rule));
  }
  return rules;
}

Result<Script> parse_script(const std::string& path) {
  TARE_TRY(const std::string text, base::read_file(path));
  auto root = base::json::parse(text);
  if (!root) return base::in_context(path, root.error());
  auto rules = parse_rules(*root);
  if (!rules) return base::in_context(path, rules.error());
  Script script;
  script.sha256 = base::sha256_hex(text);
  script.rules = std::move(*rules);
  if (const Value* n = root->find("context_length"); n != nullptr && n->is_int())
    script.context_length = static_cast<std::size_t>(n->as_int());
  if (const Value* s = root->find("seconds_per_item"); s != nullptr && s->is_number())
    script.seconds_per_item = s->as_number();
  return script;
}

class ScriptedBackend : public Backend {
 public:
  ScriptedBackend(std::string source, Script script)
      : source_(std::move(source)), script_(std::move(script)) {}

  [[nodiscard]] Capabilities capabilities() const override {
    return {.loglikelihood = true,
            .greedy_flag = true,
            .token_ids = true,
            .context_length = script_.context_length};
  }

  [[nodiscard]] Identity identity() const override {
    return {.backend = "scripted",
            .version = "1",
            .model_path = source_,
            .model_name = source_,
            .weights_sha256 = script_.sha256,
            .settings = base::Dict()};
  }

  [[nodiscard]] const core::Tokenizer& tokenizer() const override { return tokenizer_; }

  base::Status score(std::span<const ScoreItem> items, const Sink& sink,
                     std::stop_token stop) override {
    for (const ScoreItem& item : items) {
      if (stop.stop_requested())
        return base::fail(base::ErrorKind::interrupted, "stopped by the user");
      std::this_thread::sleep_for(std::chrono::duration<double>(script_.seconds_per_item));
      const std::optional<core::LogLikelihood> value = answer(item);
      if (!value) continue;
      const ScoreResult result{item.id, *value};
      sink({&result, 1});
    }
    return {};
  }

 protected:
  /// Nothing where no rule matches: the request stays unanswered.
  [[nodiscard]] virtual std::optional<core::LogLikelihood> answer(const ScoreItem& item) {
    const std::span<const Token> tokens = item.tokens;
    const std::string context = text_of(tokens.first(item.first_scored));
    const std::string continuation = text_of(tokens.subspan(item.first_scored));
    for (const Rule& rule : script_.rules) {
      if (rule.continuation && *rule.continuation != continuation) continue;
      if (rule.context_contains && context.find(*rule.context_contains) == std::string::npos)
        continue;
      return rule.answer;
    }
    return std::nullopt;
  }

 private:
  std::string source_;
  Script script_;
  ByteTokenizer tokenizer_;
};

/// The draw belongs to the request's id, so that the order of work does not matter.
class ZeroBackend final : public ScriptedBackend {
 public:
  ZeroBackend() : ScriptedBackend("zero", {}) {}

 protected:
  [[nodiscard]] std::optional<core::LogLikelihood> answer(const ScoreItem& item) override {
    while (draws_.size() <= item.id) draws_.push_back(-random_.random());
    return core::LogLikelihood{draws_[item.id], false};
  }

 private:
  base::PythonRandom random_{0};
  std::vector<double> draws_;
};

}  // namespace

Result<std::unique_ptr<Backend>> open(const std::string& source) {
  if (source == "zero") return std::make_unique<ZeroBackend>();
  TARE_TRY(Script script, parse_script(source));
  return std::make_unique<ScriptedBackend>(source, std::move(script));
}

}  // namespace tare::backend::scripted
