#pragma once

#include <exception>
#include <string>
#include <string_view>
#include <utility>

namespace tare::text::jinja {

/// The exception of Python or Jinja2 that a failure stands for.
enum class FailureKind {
  syntax,
  undefined,
  runtime,
  type,
  value,
  zero_division,
  overflow,
  index,
  key,
  attribute,
  assertion,
  recursion,
  security,
  unsupported,  ///< Jinja2 can do it, this engine does not
  limit,        ///< one of the bounds in Options
};

/// "TypeError", "UndefinedError", ...; "Unsupported" and "Limit" for the engine's own.
std::string_view failure_name(FailureKind kind);

/// How an error travels inside the engine, and only there: Template::parse and Template::render
/// catch it. An evaluator in which every operation may fail is plain to read this way only.
class Failure : public std::exception {
 public:
  Failure(FailureKind kind, std::string text, int line = 0)
      : kind_(kind), text_(std::move(text)), line_(line) {}
  [[nodiscard]] FailureKind kind() const { return kind_; }
  [[nodiscard]] const std::string& text() const { return text_; }
  /// The line in the template, from 1; 0 until the evaluator has filled it in.
  [[nodiscard]] int line() const { return line_; }
  void set_line(int line) { line_ = line; }
  [[nodiscard]] const char* what() const noexcept override { return text_.c_str(); }

 private:
  FailureKind kind_;
  std::string text_;
  int line_;
};

[[noreturn]] void fail(FailureKind kind, std::string text);
[[noreturn]] void fail_at(int line, FailureKind kind, std::string text);
[[noreturn]] void type_error(std::string text);
[[noreturn]] void value_error(std::string text);
[[noreturn]] void unsupported(std::string text);

}  // namespace tare::text::jinja
