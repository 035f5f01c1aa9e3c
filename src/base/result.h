#pragma once

#include <string>
#include <tl/expected.hpp>
#include <utility>

namespace tare::base {

/// Who has to act on an error; decides the exit code (docs/architecture.md, "Exit codes").
enum class ErrorKind {
  usage,        ///< the command line is wrong
  input,        ///< a file, task, model or data set that the user named is wrong or missing
  failed,       ///< the work itself failed (a backend died, the disk is full)
  interrupted,  ///< the user stopped it; what was finished is kept
};

/// One line for a person: the subject, the value found, the value wanted, the remedy.
struct Error {
  ErrorKind kind = ErrorKind::failed;
  std::string text;
};

template <class T>
using Result = tl::expected<T, Error>;
using Status = tl::expected<void, Error>;
using Failure = tl::unexpected<Error>;

inline Failure fail(ErrorKind kind, std::string text) {
  return Failure(Error{kind, std::move(text)});
}
inline Failure input_error(std::string text) {
  return fail(ErrorKind::input, std::move(text));
}
inline Failure usage_error(std::string text) {
  return fail(ErrorKind::usage, std::move(text));
}
inline Failure work_failed(std::string text) {
  return fail(ErrorKind::failed, std::move(text));
}

/// Puts `where` before the text of an error, as "where: text"; the kind stays.
inline Failure in_context(const std::string& where, Error error) {
  error.text = where + ": " + error.text;
  return Failure(std::move(error));
}

}  // namespace tare::base

/// Evaluates a Result expression, returns its error from the calling function, or binds the value.
#define TARE_CONCAT_(a, b) a##b
#define TARE_CONCAT(a, b) TARE_CONCAT_(a, b)
#define TARE_TRY(decl, expr)                                                  \
  auto TARE_CONCAT(result_, __LINE__) = (expr);                               \
  if (!TARE_CONCAT(result_, __LINE__))                                        \
    return tl::unexpected(std::move(TARE_CONCAT(result_, __LINE__)).error()); \
  decl = std::move(*TARE_CONCAT(result_, __LINE__))
#define TARE_CHECK(expr)                                                             \
  if (auto TARE_CONCAT(status_, __LINE__) = (expr); !TARE_CONCAT(status_, __LINE__)) \
  return tl::unexpected(std::move(TARE_CONCAT(status_, __LINE__)).error())
