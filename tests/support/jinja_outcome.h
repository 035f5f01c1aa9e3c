#pragma once

#include <string>
#include <string_view>

#include "base/value.h"
#include "text/jinja/failure.h"
#include "text/jinja/interpreter.h"
#include "text/jinja/jinja.h"
#include "text/jinja/parser.h"

namespace tare::test {

/// What a template comes to: its text, or the class, text and line of the error.
struct JinjaOutcome {
  std::string output;
  std::string error;  ///< "UndefinedError" and the like; empty when it rendered
  std::string message;
  int line = 0;
};

/// Goes past the public interface, which does not tell the class of an error.
inline JinjaOutcome run_jinja(std::string_view source, const base::Value& variables,
                              const text::jinja::Options& options) {
  try {
    const auto program = text::jinja::parse_program(source, options);
    return {text::jinja::Interpreter(*program, variables).run(), {}, {}, 0};
  } catch (const text::jinja::Failure& failure) {
    return {{}, std::string(failure_name(failure.kind())), failure.text(), failure.line()};
  }
}

/// Options of a case: a dict with any of the field names of Options.
inline text::jinja::Options jinja_options(const base::Value* given) {
  auto is_set = [given](std::string_view name) {
    const base::Value* value = given == nullptr ? nullptr : given->find(name);
    return value != nullptr && value->truthy();
  };
  auto options = is_set("chat") ? text::jinja::chat_options() : text::jinja::Options{};
  if (is_set("trim_blocks")) options.trim_blocks = true;
  if (is_set("lstrip_blocks")) options.lstrip_blocks = true;
  if (is_set("strip_trailing_newline")) options.keep_trailing_newline = false;
  if (is_set("clock")) {
    // 2024-07-26 09:08:07 UTC.
    options.now = [] {
      return std::chrono::system_clock::time_point(std::chrono::seconds(1721984887));
    };
  }
  return options;
}

}  // namespace tare::test
