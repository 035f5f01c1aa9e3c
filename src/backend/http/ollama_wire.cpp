#include "backend/http/ollama_wire.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>

#include "backend/byte_tokenizer.h"
#include "backend/http/fields.h"
#include "base/json.h"
#include "base/unicode.h"

namespace tare::backend::http::ollama {
namespace {

using base::Dict;
using base::List;
using base::Result;
using base::Value;
using core::FinishReason;
using core::GenerationParameters;
using core::GenerationSettings;

constexpr std::size_t kLeastContext = 2048;
/// BOS, and a space that some tokenizers put before a text.
constexpr std::size_t kFewSpecials = 4;
/// Tokens of the begin that a server keeps when it drops the middle, with and without BOS.
constexpr std::array<std::size_t, 2> kKept{4, 5};

base::Failure no_ollama(std::string_view path, std::string_view missing) {
  return base::input_error(
      fmt::format("{}: no {} in the answer; wanted an Ollama server", path, missing));
}

/// What is not given is turned off, whatever the model's own parameters say.
void put_given(Dict& options, const GenerationSettings& settings) {
  options.set("temperature", settings.sample ? settings.temperature : 0.0);
  options.set("repeat_penalty", settings.repetition_penalty.value_or(1));
  options.set("presence_penalty", 0);
  options.set("frequency_penalty", 0);
  options.set("mirostat", 0);
  if (!settings.sample) return;
  options.set("top_k", settings.top_k.value_or(0));
  options.set("top_p", settings.top_p.value_or(1));
  options.set("min_p", settings.min_p.value_or(0));
  options.set("typical_p", 1);
}

List stops_of(const GenerationSettings& settings) {
  List stops;
  for (const std::string& stop : settings.until)
    if (!stop.empty()) stops.emplace_back(stop);
  return stops;
}

Value options_of(const GenerateItem& item, std::size_t num_ctx) {
  const GenerationSettings& settings = *item.settings;
  const bool given = settings.parameters == GenerationParameters::given;
  Dict options;
  options.set("num_ctx", num_ctx);
  if (settings.parameters != GenerationParameters::backend)
    options.set("num_predict", settings.max_tokens);
  if (given) put_given(options, settings);
  if (given && settings.sample)
    options.set("seed", static_cast<std::int64_t>(item.seed & 0x7fffffffU));
  List stops = stops_of(settings);
  // An empty list takes the place of the model's own stop strings.
  if (given || !stops.empty()) options.set("stop", std::move(stops));
  return options;
}

/// Without the last two a server drops what does not fit and says nothing. Older ones do not know
/// them: hence fault_in_answer().
std::string finished(Dict body, std::string_view name, const GenerateItem& item,
                     std::size_t num_ctx) {
  body.set("model", name);
  body.set("options", options_of(item, num_ctx));
  body.set("stream", false);
  body.set("truncate", false);
  body.set("shift", false);
  return base::json::dump(body);
}

std::optional<std::size_t> count_at(const Value& answer, std::string_view key) {
  const auto count = integer_at(answer, key);
  if (!count || *count < 0) return std::nullopt;
  return static_cast<std::size_t>(*count);
}

/// A prompt that is longer than num_ctx is cut to its first few tokens and half of what is left.
bool is_half(std::size_t count, std::size_t num_ctx) {
  return std::ranges::any_of(kKept, [&](std::size_t kept) {
    return num_ctx > kept && count == num_ctx - (num_ctx - kept) / 2;
  });
}

std::optional<std::string> text_of(const Value& answer) {
  if (auto text = text_at(answer, "response")) return text;
  return text_at(dict_at(answer, "message"), "content");
}

std::optional<FinishReason> finish_of(const Value& answer, const Asked& asked) {
  const auto reason = text_at(answer, "done_reason");
  if (reason == "stop") return FinishReason::end_of_sequence;
  if (reason == "length") return FinishReason::length;
  if (reason) return std::nullopt;
  // Older servers give none.
  const auto count = count_at(answer, "eval_count");
  if (!count) return std::nullopt;
  return asked.max_tokens > 0 && *count >= asked.max_tokens ? FinishReason::length
                                                            : FinishReason::end_of_sequence;
}

/// "name value", blanks between them; a value in quotes loses these.
void put_parameter(Dict& parameters, std::string_view line) {
  line = base::unicode::strip(line);
  const std::size_t end = std::min(line.find_first_of(" \t"), line.size());
  if (end == 0) return;
  const std::string name(line.substr(0, end));
  const std::string_view text = base::unicode::strip(line.substr(end));
  const auto parsed = base::json::parse(text);
  Value value = parsed ? *parsed : Value(text);
  if (const Value* before = parameters.find(name)) {
    List all = before->is_list() ? before->items() : List(1, *before);
    all.push_back(std::move(value));
    value = Value(std::move(all));
  }
  parameters.set(name, std::move(value));
}

template <class Use>
void for_each_line(std::string_view text, const Use& use) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    use(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

std::string with_tag(std::string_view name) {
  const bool tagged = name.substr(name.rfind('/') + 1).find(':') != std::string_view::npos;
  return tagged ? std::string(name) : fmt::format("{}:latest", name);
}

}  // namespace

std::string show_body(std::string_view name) {
  Dict body;
  body.set("model", name);
  return base::json::dump(body);
}

Result<Model> read_model(const Value& answer) {
  const Value details = dict_at(answer, "details"), info = dict_at(answer, "model_info");
  if (answer.find("details") == nullptr) return no_ollama("/api/show", "details");
  Model model;
  model.chat_template = text_at(answer, "template").value_or("");
  model.system = text_at(answer, "system").value_or("");
  model.weights_sha256 = weights_hash(text_at(answer, "modelfile").value_or(""));
  model.quantization = text_at(details, "quantization_level").value_or("");
  model.parameter_size = text_at(details, "parameter_size").value_or("");
  model.architecture =
      text_at(info, "general.architecture").value_or(text_at(details, "family").value_or(""));
  model.context_length = count_at(info, model.architecture + ".context_length").value_or(0);
  model.defaults = read_parameters(text_at(answer, "parameters").value_or(""));
  return model;
}

Result<std::string> read_version(const Value& answer) {
  auto version = text_at(answer, "version");
  if (!version) return no_ollama("/api/version", "version");
  return std::move(*version);
}

std::string digest_of(const Value& answer, std::string_view name) {
  const Value* models = answer.find("models");
  if (models == nullptr || !models->is_list()) return "";
  for (const Value& model : models->items())
    if (text_at(model, "name") == with_tag(name)) return text_at(model, "digest").value_or("");
  return "";
}

Value read_parameters(std::string_view text) {
  Dict parameters;
  for_each_line(text, [&](std::string_view line) { put_parameter(parameters, line); });
  return parameters;
}

std::string weights_hash(std::string_view modelfile) {
  constexpr std::size_t kDigits = 64;
  std::string hash;
  for_each_line(modelfile, [&](std::string_view line) {
    const std::size_t at =
        line.starts_with("FROM ") ? line.rfind("sha256") : std::string_view::npos;
    if (!hash.empty() || at == std::string_view::npos) return;
    const std::string_view digits = line.substr(std::min(at + 7, line.size()), kDigits);
    const bool hexadecimal = digits.find_first_not_of("0123456789abcdef") == std::string_view::npos;
    if (digits.size() == kDigits && hexadecimal) hash = digits;
  });
  return hash;
}

std::string generate_body(std::string_view name, std::string_view prompt, const GenerateItem& item,
                          std::size_t num_ctx) {
  Dict body;
  body.set("prompt", prompt);
  body.set("raw", true);
  return finished(std::move(body), name, item, num_ctx);
}

std::string chat_body(std::string_view name, const Value& messages, const GenerateItem& item,
                      std::size_t num_ctx) {
  Dict body;
  body.set("messages", messages);
  return finished(std::move(body), name, item, num_ctx);
}

std::size_t context_for(std::size_t tokens, const Model& model) {
  const std::size_t size = std::bit_ceil(std::max(tokens, kLeastContext));
  return model.context_length > 0 ? std::min(size, model.context_length) : size;
}

std::optional<std::size_t> prompt_count(const Value& answer) {
  return count_at(answer, "prompt_eval_count");
}

PromptFault fault_in_answer(const Value& answer, const Asked& asked) {
  const auto count = prompt_count(answer);
  if (!count) return PromptFault::none;
  const std::size_t most = asked.bytes + kFewSpecials;
  if (asked.tokens) {
    const std::size_t cached = count_at(answer, "prompt_eval_cached_count").value_or(0);
    return *count + cached == *asked.tokens ? PromptFault::none
                                            : fault_in_count(*asked.tokens, *count);
  }
  if (*count >= asked.num_ctx) return PromptFault::silent_truncation;
  if (most >= asked.num_ctx && is_half(*count, asked.num_ctx))
    return PromptFault::silent_truncation;
  if (*count + count_at(answer, "eval_count").value_or(0) > asked.num_ctx)
    return PromptFault::silent_truncation;
  return asked.raw && *count > most ? PromptFault::extra_tokens : PromptFault::none;
}

Read<core::Generated> read_generated(const Value& answer, const Asked& asked) {
  if (!true_at(answer, "done")) return no_answer("an answer that is not done");
  auto text = text_of(answer);
  if (!text) return no_answer("no response in the answer");
  const PromptFault fault = fault_in_answer(answer, asked);
  if (fault != PromptFault::none)
    return no_answer(fmt::format("{}: prompt_eval_count does not fit the prompt", name_of(fault)));
  const auto finish = finish_of(answer, asked);
  if (!finish) return no_answer("no known done_reason in the answer");
  core::Generated generated{std::move(*text), {}, *finish};
  generated.tokens = ByteTokenizer().encode(generated.text, false);
  return generated;
}

PromptFault fault_in_template(std::string_view text) {
  const auto has = [&](std::string_view word) { return text.find(word) != std::string_view::npos; };
  if (text.empty()) return PromptFault::none;  // the server has code in its place, out of sight
  std::string bare(text);
  std::erase_if(bare, [](char c) { return c == ' ' || c == '-' || c == '\n'; });
  if (bare == "{{.Prompt}}") return PromptFault::missing_chat_template;
  return has(".System") || has(".Messages") ? PromptFault::none : PromptFault::lost_system_message;
}

}  // namespace tare::backend::http::ollama
