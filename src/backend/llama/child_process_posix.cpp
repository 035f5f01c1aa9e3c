#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <thread>

#include "backend/llama/child_process.h"

extern char** environ;

namespace tare::backend::llama {
namespace {

constexpr auto kPoll = std::chrono::milliseconds(2);

/// The child's standard streams, all on the null device.
class SilentStreams {
 public:
  SilentStreams() {
    posix_spawn_file_actions_init(&actions_);
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
      posix_spawn_file_actions_addopen(&actions_, stream, "/dev/null", O_RDWR, 0);
  }
  ~SilentStreams() { posix_spawn_file_actions_destroy(&actions_); }
  SilentStreams(const SilentStreams&) = delete;
  SilentStreams& operator=(const SilentStreams&) = delete;
  [[nodiscard]] const posix_spawn_file_actions_t* get() const { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_{};
};

ChildEnd ended(int status) {
  if (WIFSIGNALED(status)) return {.signal = WTERMSIG(status)};
  return {.exit_code = WEXITSTATUS(status)};
}

ChildEnd wait_for(pid_t child, std::chrono::milliseconds limit) {
  const auto deadline = std::chrono::steady_clock::now() + limit;
  int status = 0;
  while (waitpid(child, &status, WNOHANG) == 0) {
    if (std::chrono::steady_clock::now() > deadline) {
      kill(child, SIGKILL);
      waitpid(child, &status, 0);
      return {.timed_out = true};
    }
    std::this_thread::sleep_for(kPoll);
  }
  return ended(status);
}

}  // namespace

ChildEnd run_child(const std::filesystem::path& program, const std::vector<std::string>& arguments,
                   std::chrono::milliseconds limit) {
  std::vector<std::string> words{program.string()};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  const SilentStreams streams;
  pid_t child = 0;
  const int fault =
      posix_spawn(&child, program.c_str(), streams.get(), nullptr, argv.data(), environ);
  if (fault != 0) return {.fault = std::strerror(fault)};
  return wait_for(child, limit);
}

std::string signal_name(int signal) {
  constexpr std::array<std::pair<int, const char*>, 6> kNames{{{SIGILL, "SIGILL"},
                                                               {SIGSEGV, "SIGSEGV"},
                                                               {SIGBUS, "SIGBUS"},
                                                               {SIGABRT, "SIGABRT"},
                                                               {SIGFPE, "SIGFPE"},
                                                               {SIGKILL, "SIGKILL"}}};
  for (const auto& [number, name] : kNames)
    if (number == signal) return name;
  return "";
}

}  // namespace tare::backend::llama
