#include "text/chat.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/unicode.h"
#include "text/jinja/ast.h"
#include "text/jinja/failure.h"
#include "text/jinja/interpreter.h"
#include "text/jinja/jinja.h"
#include "text/jinja/parser.h"

namespace tare::text {
namespace {

namespace unicode = base::unicode;
using base::Result;
using jinja::FailureKind;

/// What transformers puts behind a message that stays open, to find its end in the rendered text.
/// The space at its end tells whether the template trims messages.
constexpr std::string_view kMark = "CONTINUE_FINAL_MESSAGE_TAG ";
constexpr std::string_view kTrimmedMark = kMark.substr(0, kMark.size() - 1);

base::Failure user_error(const jinja::Failure& failure) {
  const std::string place = failure.line() == 0 ? "" : fmt::format(" line {}", failure.line());
  return base::input_error(fmt::format("chat template{}: {}", place, failure.text()));
}

base::Failure machine_error(const std::exception& failure) {
  return base::work_failed(fmt::format("chat template: {}", failure.what()));
}

/// A subclass of jinja2.TemplateError: the errors that lm-eval answers by dropping the system text.
bool is_template_error(FailureKind kind) {
  return kind == FailureKind::syntax || kind == FailureKind::undefined ||
         kind == FailureKind::runtime || kind == FailureKind::security;
}

base::Value conversation(const std::vector<ChatMessage>& messages, ChatEnd end) {
  base::List list;
  for (const ChatMessage& message : messages) {
    const bool open = end == ChatEnd::message && &message == &messages.back();
    base::Dict dict;
    dict.set("role", message.role);
    dict.set("content", open ? message.content + std::string(kMark) : message.content);
    list.emplace_back(std::move(dict));
  }
  return list;
}

/// `rendered` up to the mark.
Result<std::string> up_to_mark(std::string rendered, const std::string& message) {
  const std::size_t mark = rendered.rfind(kTrimmedMark);
  if (mark == std::string::npos || rendered.find(unicode::strip(message)) == std::string::npos)
    return base::input_error(fmt::format(
        "chat template: it leaves out or changes the start of the answer (gen_prefix '{}'), wanted "
        "the text as it is; use another template",
        message));
  const bool trims = rendered.compare(mark, kMark.size(), kMark) != 0;
  rendered.resize(mark);
  return trims ? std::string(unicode::rstrip(rendered)) : rendered;
}

bool is_system(const ChatMessage& message) {
  return message.role == "system";
}

/// One attempt; throws what the template raises.
Result<std::string> render_once(const jinja::Program& program, const base::Value& settings,
                                const std::vector<ChatMessage>& messages, ChatEnd end) {
  base::Dict variables = settings.as_dict();
  variables.set("messages", conversation(messages, end));
  variables.set("tools", base::Value());
  variables.set("documents", base::Value());
  variables.set("add_generation_prompt", end == ChatEnd::header);
  std::string rendered = jinja::Interpreter(program, variables).run();
  if (end == ChatEnd::header) return rendered;
  return up_to_mark(std::move(rendered), messages.back().content);
}

}  // namespace

Result<ChatTemplate> ChatTemplate::parse(std::string_view source, ChatSettings settings) {
  jinja::Options options = jinja::chat_options();
  options.now = std::move(settings.now);
  try {
    ChatTemplate parsed;
    parsed.program_ = jinja::parse_program(source, std::move(options));
    parsed.variables_ = std::move(settings.variables);
    return parsed;
  } catch (const jinja::Failure& failure) {
    return user_error(failure);
  } catch (const std::exception& failure) {
    return machine_error(failure);
  }
}

Result<RenderedChat> ChatTemplate::render(const std::vector<ChatMessage>& messages,
                                          ChatEnd end) const {
  if (messages.empty())
    return base::input_error("chat template: the conversation is empty, wanted a message");
  if (end == ChatEnd::message && source().find("content") == std::string::npos)
    return base::input_error(
        "chat template: it never reads the content of a message, so none can be continued");
  try {
    TARE_TRY(std::string text, render_once(*program_, variables_, messages, end));
    return RenderedChat{std::move(text)};
  } catch (const jinja::Failure& failure) {
    std::vector<ChatMessage> rest;
    std::ranges::remove_copy_if(messages, std::back_inserter(rest), is_system);
    if (!is_template_error(failure.kind()) || rest.empty() || rest.size() == messages.size())
      return user_error(failure);
    TARE_TRY(RenderedChat again, render(rest, end));
    again.system_dropped = true;
    return again;
  } catch (const std::exception& failure) {
    return machine_error(failure);
  }
}

const std::string& ChatTemplate::source() const {
  return program_->source;
}

}  // namespace tare::text
