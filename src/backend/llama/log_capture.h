#pragma once

#include <string>

namespace tare::backend::llama {

/// While it lives, what llama.cpp logs is kept instead of printed. llama.cpp has one log for the
/// whole process, so the lines of several at once are mixed.
class LogCapture {
 public:
  LogCapture();
  LogCapture(const LogCapture&) = delete;
  LogCapture& operator=(const LogCapture&) = delete;
  /// The first line logged as an error since construction, without its function name; "" if none.
  [[nodiscard]] std::string first_error() const;
};

}  // namespace tare::backend::llama
