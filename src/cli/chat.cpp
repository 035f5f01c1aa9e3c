#include "cli/chat.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <array>
#include <chrono>
#include <ctime>
#include <filesystem>

#include "backend/llama/chat_source.h"
#include "backend/messages.h"
#include "base/files.h"
#include "base/hash.h"
#include "base/json.h"
#include "base/nearest.h"
#include "base/python.h"
#include "base/unicode.h"
#include "cli/folder_chat.h"
#include "cli/http_backends.h"
#include "cli/known_backends.h"
#include "cli/server_backends.h"
#include "cli/worker_backends.h"
#include "text/chat.h"

namespace tare::cli {
namespace {

namespace fs = std::filesystem;
namespace llama = backend::llama;
using base::Dict;
using base::Result;
using base::Status;
using base::usage_error;
using base::Value;
using Clock = std::chrono::system_clock;

constexpr const char* kFlag = "--apply-chat-template";
constexpr const char* kRemedy = "name a template file: --apply-chat-template FILE.jinja";
/// Names that every rendering sets by itself.
constexpr std::array<const char*, 4> kTaken{"messages", "tools", "documents",
                                            "add_generation_prompt"};

/// A template with what its model says about special tokens.
struct Found {
  std::string text;
  std::string from;  ///< for the record: a file, or a name in the model file
  Dict tokens;
};

Result<bool> parse_truth(const std::string& flag, const std::string& text) {
  const std::string word = base::unicode::lower(text);
  if (word.empty() || word == "true" || word == "1" || word == "yes") return true;
  if (word == "false" || word == "0" || word == "no") return false;
  return usage_error(fmt::format("{} {}: wanted true or false", flag, text));
}

bool is_file(const std::string& name) {
  return name.ends_with(".jinja") || name.find('/') != std::string::npos ||
         fs::is_regular_file(name);
}

Dict tokens_of(const llama::ChatSource& source) {
  Dict tokens;
  for (const auto& [name, text] : source.special_tokens) tokens.set(name, text);
  return tokens;
}

Result<Found> from_file(const std::string& name, Dict tokens) {
  auto text = base::read_file(name);
  if (!text) return base::in_context(kFlag, text.error());
  return Found{std::move(*text), name, std::move(tokens)};
}

Result<Found> from_model(const std::string& file, const std::string& wanted,
                         const llama::ChatSource& source) {
  const std::string name = wanted.empty() ? "default" : wanted;
  if (source.templates.empty())
    return base::input_error(
        fmt::format("{}: {} holds no chat template; {}", kFlag, file, kRemedy));
  const auto found = source.templates.find(name);
  if (found != source.templates.end()) return Found{found->second, name, tokens_of(source)};
  std::vector<std::string> names;
  for (const auto& [known, text] : source.templates) names.push_back(known);
  return base::input_error(fmt::format("{} {}: {} holds no template of that name; choose {}, or {}",
                                       kFlag, name, file, base::join_or(names), kRemedy));
}

Result<Found> from_server(const ModelSpec& model, const std::string& name) {
  if (!name.empty() && name != "default")
    return usage_error(
        fmt::format("{} {}: a server shows one template, default; {}", kFlag, name, kRemedy));
  auto chat = served_template(model);
  if (!chat) return base::in_context(kFlag, chat.error());
  Dict tokens;
  tokens.set("bos_token", chat->bos);
  tokens.set("eos_token", chat->eos);
  return Found{std::move(chat->text), "of the server", std::move(tokens)};
}

Result<Found> find_template(const ModelSpec& model, const std::string& name) {
  if (model.scheme == "gguf" || is_worker_scheme(model.scheme)) {
    const bool folder = fs::is_directory(model.name);
    TARE_TRY(const llama::ChatSource source,
             folder ? read_folder_chat(model.name) : llama::read_chat_source(model.name));
    if (is_file(name)) return from_file(name, tokens_of(source));
    return from_model(model.name, name, source);
  }
  if (is_file(name)) return from_file(name, {});
  if (model.scheme == "llama-server") return from_server(model, name);
  const std::string_view why = model.scheme.empty()           ? "no model is named"
                               : is_http_scheme(model.scheme) ? "a server does not show its own"
                                                              : "scripted answers do not";
  return usage_error(fmt::format("{}{}: only a model file or folder brings templates, and {}; {}{}",
                                 kFlag, name.empty() ? "" : " " + name, why,
                                 is_http_scheme(model.scheme) ? "ask its endpoint=chat, or " : "",
                                 kRemedy));
}

/// A dict in JSON or as Python writes it.
Result<Value> parse_template_arguments(const std::string& text) {
  auto dict = base::json::parse(text);
  if (!dict || !dict->is_dict()) {
    auto literal = base::python::parse_literal(text);
    if (!literal || !literal->is_dict())
      return usage_error(fmt::format(
          "--model-args: chat_template_args={}: wanted a mapping such as {{\"name\": \"value\"}}",
          text));
    dict = std::move(*literal);
  }
  for (const char* name : kTaken)
    if (dict->find(name) != nullptr)
      return usage_error(fmt::format(
          "--model-args: chat_template_args: '{}' is set for each prompt; leave it out", name));
  return dict;
}

struct Arguments {
  Dict variables;
  bool thinks = false;
};

/// enable_thinking wins over the same name in chat_template_args, wherever it stands.
Result<Arguments> chat_arguments(const ModelSpec& model) {
  Arguments arguments;
  std::optional<bool> thinking;
  for (const auto& [name, text] : model.arguments) {
    if (name == "chat_template_args") {
      TARE_TRY(const Value dict, parse_template_arguments(text));
      arguments.variables = dict.as_dict();
    } else if (name == "enable_thinking") {
      TARE_TRY(thinking, parse_truth("--model-args: enable_thinking", text));
    }
  }
  if (thinking) arguments.variables.set("enable_thinking", *thinking);
  arguments.thinks = thinking.value_or(false);
  return arguments;
}

Value messages_record() {
  Dict used;
  used.set("template", "messages");
  return used;
}

/// The backend has a template of its own, which sees none of our arguments.
Status open_messages(const ModelSpec& model, const Arguments& arguments, ChatOptions& chat,
                     task::BuildOptions& build) {
  if (!chat.name.empty())
    return usage_error(fmt::format(
        "{} {}: with endpoint=chat the server renders prompts by its own template; wanted {} alone",
        kFlag, chat.name, kFlag));
  if (!arguments.variables.empty())
    return usage_error(fmt::format(
        "--model {}: enable_thinking and chat_template_args do not reach the template of an "
        "endpoint=chat; leave them out, or set them where the server is started",
        model.text));
  if (!chat.apply) return {};
  build.chat = [](const auto& messages, text::ChatEnd) -> Result<text::RenderedChat> {
    std::vector<backend::Message> sent;
    for (const text::ChatMessage& message : messages)
      sent.push_back({message.role, message.content});
    return text::RenderedChat{backend::messages_text(sent)};
  };
  build.fewshot_as_multiturn = chat.multiturn.truthy();
  chat.used = messages_record();
  return {};
}

/// Now, as a clock on the wall shows it.
Clock::time_point local_time() {
  const std::time_t now = Clock::to_time_t(Clock::now());
  std::tm parts{};
  localtime_r(&now, &parts);
  return Clock::from_time_t(now + parts.tm_gmtoff);
}

/// What a reader of the prompts must know about the template.
std::vector<core::Warning> warnings_of(const std::string& text, const Dict& variables) {
  std::vector<core::Warning> warnings;
  if (text.find("strftime_now") != std::string::npos)
    warnings.push_back({"chat-template-date",
                        "the chat template may print today's date: prompts of another day differ; "
                        "a template file without strftime_now keeps them equal"});
  for (const auto& [name, value] : variables)
    if (text.find(name.as_string()) == std::string::npos)
      warnings.push_back(
          {"chat-argument-unused",
           fmt::format("the chat template never reads the argument {}", name.as_string())});
  return warnings;
}

Value record_of(const Found& found, const Dict& variables, Clock::time_point now) {
  Dict used;
  used.set("template", found.from);
  used.set("sha256", base::sha256_hex(found.text));
  used.set("variables", variables);
  if (found.text.find("strftime_now") != std::string::npos)
    used.set("date", fmt::format("{:%Y-%m-%d}", std::chrono::floor<std::chrono::seconds>(now)));
  return used;
}

}  // namespace

void declare_chat_options(CLI::App& app, RawChatOptions& raw) {
  app.add_option(kFlag, raw.name,
                 "prompts as conversations: with the model's template, one of that name, or a "
                 "FILE.jinja")
      ->type_name("NAME")
      ->expected(0, 1)
      ->allow_extra_args(false);
  app.add_option("--fewshot-as-multiturn", raw.multiturn,
                 "each few-shot example a turn of its own (default: true with a chat template)")
      ->type_name("true|false")
      ->expected(0, 1)
      ->allow_extra_args(false);
}

Status check_chat_options(const RawChatOptions& raw, ChatOptions& chat) {
  chat.apply = !raw.name.empty() && raw.name[0] != "false";
  if (chat.apply && raw.name[0] != "true") chat.name = raw.name[0];
  if (!raw.multiturn.empty()) {
    TARE_TRY(const bool multiturn, parse_truth("--fewshot-as-multiturn", raw.multiturn[0]));
    chat.multiturn = multiturn;
  } else if (chat.apply) {
    chat.multiturn = true;
  }
  if (chat.multiturn.truthy() && !chat.apply)
    return usage_error(
        "--fewshot-as-multiturn: examples become turns under a chat template alone; add "
        "--apply-chat-template");
  return {};
}

bool is_chat_argument(std::string_view name) {
  return name == "enable_thinking" || name == "chat_template_args";
}

Status open_chat(const ModelSpec& model, ChatOptions& chat, task::BuildOptions& build) {
  TARE_TRY(Arguments arguments, chat_arguments(model));
  chat.thinks = arguments.thinks;
  if (chat.thinks && build.think_end.empty())
    return usage_error(
        "--model-args: enable_thinking=true: the end of the thinking is not told; add "
        "think_end_token=TEXT");
  if (base::unicode::is_digit(build.think_end))
    return usage_error(fmt::format(
        "--model-args: think_end_token={}: wanted the text of the token, not its number",
        build.think_end));
  if (takes_messages(model)) return open_messages(model, arguments, chat, build);
  if (!chat.apply) return {};
  TARE_TRY(Found found, find_template(model, chat.name));
  Dict variables = std::move(found.tokens);
  for (const auto& [name, value] : arguments.variables) variables.set(name, value);
  const Clock::time_point now = local_time();
  auto parsed = text::ChatTemplate::parse(found.text, {variables, [now] { return now; }});
  if (!parsed) return base::in_context(fmt::format("{} {}", kFlag, found.from), parsed.error());
  build.chat = [parsed = std::move(*parsed)](const auto& messages, text::ChatEnd end) {
    return parsed.render(messages, end);
  };
  build.fewshot_as_multiturn = chat.multiturn.truthy();
  chat.warnings = warnings_of(found.text, arguments.variables);
  chat.used = record_of(found, variables, now);
  chat.source = std::move(found.text);
  return {};
}

Status check_thinking(const ChatOptions& chat, const core::BuiltTask& task) {
  if (!chat.thinks || task.output_type == core::OutputType::generate_until) return {};
  return base::input_error(
      fmt::format("task {} scores given text, which a model cannot think about first; leave out "
                  "enable_thinking=true or choose a task that generates",
                  task.name));
}

}  // namespace tare::cli
