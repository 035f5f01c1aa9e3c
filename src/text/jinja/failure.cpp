#include "text/jinja/failure.h"

#include <array>

namespace tare::text::jinja {

std::string_view failure_name(FailureKind kind) {
  static constexpr std::array<std::string_view, 15> kNames = {
      "TemplateSyntaxError", "UndefinedError", "TemplateRuntimeError",
      "TypeError",           "ValueError",     "ZeroDivisionError",
      "OverflowError",       "IndexError",     "KeyError",
      "AttributeError",      "AssertionError", "RecursionError",
      "SecurityError",       "Unsupported",    "Limit"};
  return kNames.at(static_cast<std::size_t>(kind));
}

void fail(FailureKind kind, std::string text) {
  throw Failure(kind, std::move(text));
}
void fail_at(int line, FailureKind kind, std::string text) {
  throw Failure(kind, std::move(text), line);
}
void type_error(std::string text) {
  fail(FailureKind::type, std::move(text));
}
void value_error(std::string text) {
  fail(FailureKind::value, std::move(text));
}
void unsupported(std::string text) {
  fail(FailureKind::unsupported, std::move(text));
}

}  // namespace tare::text::jinja
