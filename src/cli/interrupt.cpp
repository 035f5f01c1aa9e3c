#include "cli/interrupt.h"

#include <atomic>
#include <chrono>
#include <csignal>

namespace tare::cli {
namespace {

std::atomic<bool> signalled{false};
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may only touch these");

void on_signal(int signal) {
  signalled = true;
  std::signal(signal, SIG_DFL);
}

/// A signal handler may do next to nothing, so a thread looks at the flag and does the rest.
void watch(const std::stop_token& end, std::stop_source& stop) {
  while (!end.stop_requested() && !signalled)
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  if (signalled) stop.request_stop();
}

}  // namespace

InterruptGuard::InterruptGuard() {
  signalled = false;
  std::signal(SIGINT, on_signal);
  std::signal(SIGTERM, on_signal);
  watcher_ = std::jthread([this](const std::stop_token& end) { watch(end, stop_); });
}

InterruptGuard::~InterruptGuard() {
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
}

}  // namespace tare::cli
