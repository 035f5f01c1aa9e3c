#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace tare::base {

/// A running program that is spoken to in lines over descriptor 3, both ways. Its standard input is
/// empty; what it prints is kept, the last few kilobytes of it. It is killed with this object.
class Process {
 public:
  /// A name without a slash is looked up in PATH.
  static Result<std::unique_ptr<Process>> start(const std::filesystem::path& program,
                                                const std::vector<std::string>& arguments);
  ~Process();
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  struct Bounds {
    std::chrono::milliseconds time;
    std::size_t answer_bytes;
    std::stop_token stop{};  ///< asked for: the program is killed, the error is `interrupted`
  };
  /// Sends `line` and a newline, waits for a line and returns it. On any failure the program is
  /// killed, and every later exchange fails with the same words.
  Result<std::string> exchange(std::string_view line, const Bounds& bounds);

  /// The last line that the program printed, made printable; "" without one.
  [[nodiscard]] std::string last_words() const;

 private:
  struct State;
  explicit Process(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace tare::base
