#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <thread>
#include <utility>

#include "backend/llama/child_process.h"

extern char** environ;

namespace tare::backend::llama {
namespace {

constexpr auto kPoll = std::chrono::milliseconds(2);

using Clock = std::chrono::steady_clock;

/// The child's standard streams: its output on a descriptor if one is given, all else on the null
/// device.
class Streams {
 public:
  explicit Streams(int output = -1) {
    posix_spawn_file_actions_init(&actions_);
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
      posix_spawn_file_actions_addopen(&actions_, stream, "/dev/null", O_RDWR, 0);
    if (output >= 0) posix_spawn_file_actions_adddup2(&actions_, output, STDOUT_FILENO);
  }
  ~Streams() { posix_spawn_file_actions_destroy(&actions_); }
  Streams(const Streams&) = delete;
  Streams& operator=(const Streams&) = delete;
  [[nodiscard]] const posix_spawn_file_actions_t* get() const { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_{};
};

/// Closed at the end of the object.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() { close(); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  [[nodiscard]] int get() const { return number_; }
  void close() {
    if (number_ >= 0) ::close(std::exchange(number_, -1));
  }

 private:
  int number_;
};

ChildEnd ended(int status) {
  if (WIFSIGNALED(status)) return {.signal = WTERMSIG(status)};
  return {.exit_code = WEXITSTATUS(status)};
}

ChildEnd wait_for(pid_t child, Clock::time_point deadline) {
  int status = 0;
  while (waitpid(child, &status, WNOHANG) == 0) {
    if (Clock::now() > deadline) {
      kill(child, SIGKILL);
      waitpid(child, &status, 0);
      return {.timed_out = true};
    }
    std::this_thread::sleep_for(kPoll);
  }
  return ended(status);
}

/// 0 or the system's reason.
int start(const std::filesystem::path& program, const std::vector<std::string>& arguments,
          const Streams& streams, pid_t& child) {
  std::vector<std::string> words{program.string()};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  return posix_spawn(&child, program.c_str(), streams.get(), nullptr, argv.data(), environ);
}

/// What comes until the writer closes its end, or the deadline.
std::string read_all(int descriptor, Clock::time_point deadline) {
  std::string text;
  std::array<char, 4096> buffer{};
  while (true) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now());
    pollfd waiting{descriptor, POLLIN, 0};
    const int ready = poll(&waiting, 1, static_cast<int>(std::max<long>(left.count(), 0)));
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0) return text;
    const ssize_t count = read(descriptor, buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return text;
    text.append(buffer.data(), static_cast<std::size_t>(count));
  }
}

}  // namespace

ChildEnd run_child(const std::filesystem::path& program, const std::vector<std::string>& arguments,
                   std::chrono::milliseconds limit) {
  pid_t child = 0;
  const int fault = start(program, arguments, Streams(), child);
  if (fault != 0) return {.fault = std::strerror(fault)};
  return wait_for(child, Clock::now() + limit);
}

ChildOutput capture_child(const std::filesystem::path& program,
                          const std::vector<std::string>& arguments,
                          std::chrono::milliseconds limit) {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) return {{.fault = std::strerror(errno)}, ""};
  const Descriptor reading(ends[0]);
  Descriptor writing(ends[1]);
  pid_t child = 0;
  const int fault = start(program, arguments, Streams(writing.get()), child);
  if (fault != 0) return {{.fault = std::strerror(fault)}, ""};
  writing.close();
  const auto deadline = Clock::now() + limit;
  std::string text = read_all(reading.get(), deadline);
  return {wait_for(child, deadline), std::move(text)};
}

std::string fault_of(const ChildEnd& end, std::chrono::milliseconds limit) {
  if (!end.fault.empty()) return fmt::format("could not be started ({})", end.fault);
  if (end.timed_out)
    return fmt::format("did not end within {} s",
                       std::chrono::duration_cast<std::chrono::seconds>(limit).count());
  if (end.signal != 0)
    return fmt::format("was killed by signal {} {}", end.signal, signal_name(end.signal));
  return end.exit_code != 0 ? fmt::format("failed with exit code {}", end.exit_code) : "";
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
