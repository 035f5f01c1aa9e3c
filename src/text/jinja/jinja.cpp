#include "text/jinja/jinja.h"

#include <fmt/format.h>

#include "text/jinja/ast.h"
#include "text/jinja/failure.h"
#include "text/jinja/interpreter.h"
#include "text/jinja/parser.h"

namespace tare::text::jinja {
namespace {

base::Failure user_error(const Failure& failure) {
  if (failure.line() == 0) return base::input_error("template: " + failure.text());
  return base::input_error(fmt::format("template line {}: {}", failure.line(), failure.text()));
}

/// Runs what may throw and turns what it throws into an error: nothing leaves the room.
template <class Action>
auto guarded(Action action) -> base::Result<decltype(action())> {
  try {
    return action();
  } catch (const Failure& failure) {
    return user_error(failure);
  } catch (const std::exception& failure) {
    return base::work_failed(
        fmt::format("template: {}; make it smaller, or report it", failure.what()));
  }
}

}  // namespace

Options chat_options() {
  Options options;
  options.trim_blocks = true;
  options.lstrip_blocks = true;
  options.keep_trailing_newline = false;
  options.strict_undefined = false;
  options.chat = true;
  return options;
}

base::Result<Template> Template::parse(std::string_view source, Options options) {
  return guarded([&] {
    Template parsed;
    parsed.program_ = parse_program(source, std::move(options));
    return parsed;
  });
}

base::Result<std::string> Template::render(const base::Value& variables) const {
  return guarded([&] { return Interpreter(*program_, variables).run(); });
}

const std::string& Template::source() const {
  return program_->source;
}

}  // namespace tare::text::jinja
