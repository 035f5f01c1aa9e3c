#pragma once

#include <stop_token>
#include <thread>

namespace tare::cli {

/// While it lives, the first Ctrl-C (or SIGTERM) asks for a stop and the second one ends the
/// program at once. One object at a time.
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;
  [[nodiscard]] std::stop_token token() const { return stop_.get_token(); }

 private:
  std::stop_source stop_;
  std::jthread watcher_;
};

}  // namespace tare::cli
