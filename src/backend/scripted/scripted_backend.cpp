#include "backend/scripted/scripted_backend.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "backend/byte_tokenizer.h"
#include "backend/capability_names.h"
#include "backend/own_defaults.h"
#include "base/files.h"
#include "base/hash.h"
#include "base/json.h"
#include "base/python_random.h"

namespace tare::backend::scripted {
namespace {

using base::Result;
using base::Value;
using core::Token;

/// An answer and what a request must look like to get it; an absent pattern matches all.
struct Rule {
  std::optional<std::string> continuation;      ///< equal to the scored text
  std::optional<std::string> context_contains;  ///< somewhere in the text before it
  std::optional<core::LogLikelihood> answer;    ///< to a request to score
  std::optional<std::string> text;              ///< to a request to generate
  std::optional<std::string> failure;           ///< why there is no answer, to either

  [[nodiscard]] bool matches(std::string_view context) const {
    return !context_contains || context.find(*context_contains) != std::string_view::npos;
  }
};

Capabilities everything() {
  return {.loglikelihood = true,
          .generation = true,
          .sampling = true,
          .greedy_flag = true,
          .token_ids = true,
          .own_defaults = true,
          .repeatable_defaults = true,
          .any_length = true};
}

struct Script {
  std::string sha256;
  Capabilities can = everything();
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
  TARE_TRY(rule.text, optional_text(value, "text"));
  TARE_TRY(rule.failure, optional_text(value, "failure"));
  const Value* sum = value.find("log_likelihood");
  if (sum == nullptr && (rule.text || rule.failure)) return rule;
  if (sum == nullptr || !sum->is_number())
    return base::input_error(
        "log_likelihood is missing or no number, and there is no text to generate");
  rule.answer = core::LogLikelihood{sum->as_number(), false};
  if (const Value* greedy = value.find("greedy")) rule.answer->greedy = greedy->truthy();
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

Result<Capabilities> parse_capabilities(const Value& root) {
  Capabilities can = everything();
  if (const Value* n = root.find("context_length"); n != nullptr && n->is_int())
    can.context_length = static_cast<std::size_t>(n->as_int());
  can.any_length = can.context_length == 0;
  const Value* switches = root.find("capabilities");
  if (switches == nullptr) return can;
  if (!switches->is_dict()) return base::input_error("capabilities is no object");
  for (const auto& entry : switches->as_dict()) {
    const auto names = capability_names();
    const auto known = std::ranges::find_if(
        names, [&](const CapabilityName& one) { return entry.first == Value(one.name); });
    if (known == names.end() || !entry.second.is_bool())
      return base::input_error(
          fmt::format("capabilities: {}: {} is no capability that is true or false",
                      base::json::dump(entry.first), base::json::dump(entry.second)));
    can.*known->member = entry.second.as_bool();
  }
  return can;
}

Result<Script> parse_script(const std::string& path) {
  TARE_TRY(const std::string text, base::read_file(path));
  auto root = base::json::parse(text);
  if (!root) return base::in_context(path, root.error());
  auto rules = parse_rules(*root);
  if (!rules) return base::in_context(path, rules.error());
  auto can = parse_capabilities(*root);
  if (!can) return base::in_context(path, can.error());
  Script script;
  script.can = *can;
  script.sha256 = base::sha256_hex(text);
  script.rules = std::move(*rules);
  if (const Value* s = root->find("seconds_per_item"); s != nullptr && s->is_number())
    script.seconds_per_item = s->as_number();
  return script;
}

class ScriptedBackend : public Backend {
 public:
  ScriptedBackend(std::string source, Script script)
      : source_(std::move(source)), script_(std::move(script)) {}

  [[nodiscard]] Capabilities capabilities() const override { return script_.can; }

  [[nodiscard]] Identity identity() const override {
    return {.backend = "scripted",
            .version = "1",
            .model_path = source_,
            .model_name = source_,
            .weights_sha256 = script_.sha256,
            .settings = base::Dict(),
            .generation_defaults = greedy_defaults()};
  }

  [[nodiscard]] const core::Tokenizer& tokenizer() const override { return tokenizer_; }

  base::Status score(std::span<const ScoreItem> items, const Sink& sink,
                     std::stop_token stop) override {
    for (const ScoreItem& item : items) {
      TARE_CHECK(wait(stop));
      const std::optional<Scored> value = answer(item);
      if (!value) continue;
      const ScoreResult result{item.id, *value};
      sink({&result, 1});
    }
    return {};
  }

  base::Status generate(std::span<const GenerateItem> items, const GenerateSink& sink,
                        std::stop_token stop) override {
    for (const GenerateItem& item : items) {
      TARE_CHECK(wait(stop));
      const std::optional<Continued> text = continued(item);
      if (!text) continue;
      const GenerateResult result{
          item.id, text->map([&](const std::string& t) { return answer_with(t, *item.settings); })};
      sink({&result, 1});
    }
    return {};
  }

  base::Result<core::Invariance> probe(std::span<const ScoreItem>, std::span<const GenerateItem>,
                                       std::stop_token) override {
    return core::Invariance{core::InvarianceVerdict::by_construction, {}};
  }

 protected:
  using Scored = tl::expected<core::LogLikelihood, core::RequestFailure>;
  using Continued = tl::expected<std::string, core::RequestFailure>;

  /// Nothing where no rule matches: the request stays unanswered.
  [[nodiscard]] virtual std::optional<Scored> answer(const ScoreItem& item) {
    const std::span<const Token> tokens = item.tokens;
    const std::string context = bytes_text(tokens.first(item.first_scored));
    const std::string continuation = bytes_text(tokens.subspan(item.first_scored));
    for (const Rule& rule : script_.rules) {
      if (!rule.matches(context)) continue;
      if (rule.continuation && *rule.continuation != continuation) continue;
      if (rule.failure) return tl::unexpected(core::RequestFailure{*rule.failure});
      if (rule.answer) return *rule.answer;
    }
    return std::nullopt;
  }

  [[nodiscard]] virtual std::optional<Continued> continued(const GenerateItem& item) {
    const std::string context = bytes_text(item.tokens);
    for (const Rule& rule : script_.rules) {
      if (!rule.matches(context)) continue;
      if (rule.failure) return tl::unexpected(core::RequestFailure{*rule.failure});
      if (rule.text) return *rule.text;
    }
    return std::nullopt;
  }

 private:
  [[nodiscard]] base::Status wait(const std::stop_token& stop) const {
    if (stop.stop_requested())
      return base::fail(base::ErrorKind::interrupted, "stopped by the user");
    std::this_thread::sleep_for(std::chrono::duration<double>(script_.seconds_per_item));
    return {};
  }

  /// The scripted text up to and with its first stop string, as a model would have written it.
  [[nodiscard]] core::Generated answer_with(const std::string& text,
                                            const core::GenerationSettings& given) const {
    const core::GenerationSettings settings = with_greedy_defaults(given);
    core::Generated generated{text, {}, core::FinishReason::end_of_sequence};
    std::size_t end = std::string::npos;
    for (const std::string& stop : settings.until)
      if (const std::size_t at = text.find(stop); at != std::string::npos)
        end = std::min(end, at + stop.size());
    if (end != std::string::npos) {
      generated.text.resize(end);
      generated.finish = core::FinishReason::stop_string;
    }
    if (generated.text.size() > settings.max_tokens) {
      generated.text.resize(settings.max_tokens);
      generated.finish = core::FinishReason::length;
    }
    generated.tokens = tokenizer_.encode(generated.text, false);
    return generated;
  }

  std::string source_;
  Script script_;
  ByteTokenizer tokenizer_;
};

/// The draw belongs to the request's id, so that the order of work does not matter.
class ZeroBackend final : public ScriptedBackend {
 public:
  ZeroBackend() : ScriptedBackend("zero", {}) {}

 protected:
  [[nodiscard]] std::optional<Scored> answer(const ScoreItem& item) override {
    while (draws_.size() <= item.id) draws_.push_back(-random_.random());
    return core::LogLikelihood{draws_[item.id], false};
  }
  [[nodiscard]] std::optional<Continued> continued(const GenerateItem&) override { return "lol"; }

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
