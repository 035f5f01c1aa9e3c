#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <optional>

#include "base/process.h"
#include "base/unicode.h"

extern char** environ;

namespace tare::base {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kChannel = 3;
/// Descriptors of this side stand above those that the program is given, so that none is
/// overwritten.
constexpr int kLowestOwn = 16;
constexpr std::size_t kKeptOutput = 16384;
constexpr std::size_t kLongestWords = 500;
/// How soon a wish to stop is seen.
constexpr std::chrono::milliseconds kGlance{100};

/// An open descriptor, closed at the end of its life.
class Descriptor {
 public:
  explicit Descriptor(int number = -1) : number_(number) {}
  ~Descriptor() { close(); }
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  [[nodiscard]] int get() const { return number_; }
  void close() {
    if (number_ >= 0) ::close(number_);
    number_ = -1;
  }

 private:
  int number_;
};

Descriptor moved_up(int number) {
  Descriptor low(number);
  return Descriptor(fcntl(number, F_DUPFD_CLOEXEC, kLowestOwn));
}

struct Ends {
  Descriptor ours, theirs;
};

std::optional<Ends> make_channel() {
  std::array<int, 2> ends{};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) return std::nullopt;
  return Ends{moved_up(ends[0]), moved_up(ends[1])};
}

std::optional<Ends> make_output() {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) return std::nullopt;
  return Ends{moved_up(ends[0]), moved_up(ends[1])};
}

void set_nonblocking(const Descriptor& descriptor) {
  fcntl(descriptor.get(), F_SETFL, fcntl(descriptor.get(), F_GETFL) | O_NONBLOCK);
}

/// What the program finds: descriptors, no blocked signals, a process group of its own, so that
/// Ctrl-C reaches this program alone.
class SpawnSettings {
 public:
  SpawnSettings(int channel, int output) {
    posix_spawn_file_actions_init(&files_);
    posix_spawn_file_actions_addopen(&files_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&files_, output, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&files_, output, STDERR_FILENO);
    posix_spawn_file_actions_adddup2(&files_, channel, kChannel);
    posix_spawnattr_init(&attributes_);
    sigset_t none, restored;
    sigemptyset(&none);
    sigemptyset(&restored);
    for (const int signal : {SIGINT, SIGPIPE, SIGTERM}) sigaddset(&restored, signal);
    posix_spawnattr_setsigmask(&attributes_, &none);
    posix_spawnattr_setsigdefault(&attributes_, &restored);
    posix_spawnattr_setpgroup(&attributes_, 0);
    posix_spawnattr_setflags(
        &attributes_, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
  }
  ~SpawnSettings() {
    posix_spawn_file_actions_destroy(&files_);
    posix_spawnattr_destroy(&attributes_);
  }
  SpawnSettings(const SpawnSettings&) = delete;
  SpawnSettings& operator=(const SpawnSettings&) = delete;
  [[nodiscard]] const posix_spawn_file_actions_t* files() const { return &files_; }
  [[nodiscard]] const posix_spawnattr_t* attributes() const { return &attributes_; }

 private:
  posix_spawn_file_actions_t files_{};
  posix_spawnattr_t attributes_{};
};

Result<pid_t> spawn(const std::filesystem::path& program, const std::vector<std::string>& arguments,
                    const SpawnSettings& settings) {
  std::vector<std::string> words{program.string()};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  pid_t child = 0;
  const int fault = posix_spawnp(&child, program.c_str(), settings.files(), settings.attributes(),
                                 argv.data(), environ);
  if (fault != 0)
    return input_error(
        fmt::format("{} can't be started: {}", program.string(), std::strerror(fault)));
  return child;
}

std::string signal_text(int signal) {
  if (signal == SIGKILL) return "it was killed (SIGKILL; perhaps out of memory)";
  if (signal == SIGXCPU) return "it used more processor time than allowed (SIGXCPU)";
  return fmt::format("it was ended by signal {} ({})", signal, strsignal(signal));
}

std::string end_text(int status) {
  if (WIFSIGNALED(status)) return signal_text(WTERMSIG(status));
  return fmt::format("it ended with exit code {}", WEXITSTATUS(status));
}

}  // namespace

struct Process::State {
  pid_t child = 0;
  Descriptor channel, output;
  std::string received{};  ///< bytes of the answer that is coming in
  std::string printed{};   ///< the end of what the program printed
  std::string fault{};     ///< why nothing more can be asked; "" while it runs

  /// Ends the program, if it still runs, and says how it ended.
  int reap() {
    int status = 0;
    kill(-child, SIGKILL);
    waitpid(child, &status, 0);
    child = 0;
    return status;
  }

  /// A bounded amount: a program that never stops printing must not keep this side from its clock.
  void read_output() {
    std::array<char, 4096> piece{};
    for (int pieces = 0; pieces < 64; ++pieces) {
      const ssize_t got = ::read(output.get(), piece.data(), piece.size());
      if (got == 0) output.close();
      if (got <= 0) return;
      printed.append(piece.data(), static_cast<std::size_t>(got));
      if (printed.size() > 2 * kKeptOutput) printed.erase(0, printed.size() - kKeptOutput);
    }
  }

  /// False once the program has closed its end.
  bool read_answer() {
    std::array<char, 65536> piece{};
    const ssize_t got = ::recv(channel.get(), piece.data(), piece.size(), 0);
    if (got > 0) received.append(piece.data(), static_cast<std::size_t>(got));
    return got > 0 || (got < 0 && (errno == EAGAIN || errno == EINTR));
  }

  /// False once the program has closed its end.
  bool send_some(std::string_view& rest) {
    const ssize_t sent = ::send(channel.get(), rest.data(), rest.size(), MSG_NOSIGNAL);
    if (sent > 0) rest.remove_prefix(static_cast<std::size_t>(sent));
    return sent > 0 || errno == EAGAIN || errno == EINTR;
  }

  /// Waits until there is something to read or room to write; at most `time`.
  void wait(bool writing, std::chrono::milliseconds time) {
    std::array<pollfd, 2> watched{
        {{channel.get(), static_cast<short>(writing ? POLLIN | POLLOUT : POLLIN), 0},
         {output.get(), POLLIN, 0}}};
    poll(watched.data(), watched.size(), static_cast<int>(time.count()));
    if (output.get() >= 0) read_output();
  }

  Failure fail(std::string why) {
    if (child != 0) reap();
    if (output.get() >= 0) read_output();
    fault = std::move(why);
    return work_failed(fault);
  }

  Failure interrupted() {
    (void)fail("it was ended, as the user stopped the run");
    return base::fail(ErrorKind::interrupted, "stopped by the user");
  }

  /// True if the program is over; it still has to be reaped.
  [[nodiscard]] bool is_over() const {
    siginfo_t info{};
    return waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
           info.si_pid == child;
  }

  /// The program has closed its end; says how it ended.
  Failure ended() {
    for (int tries = 0; tries < 100 && !is_over(); ++tries) poll(nullptr, 0, 10);
    if (!is_over()) return fail("it closed the channel and was ended");
    return fail(end_text(reap()));
  }
};

Process::Process(std::unique_ptr<State> state) : state_(std::move(state)) {}

Process::~Process() {
  if (state_->child != 0) state_->reap();
}

Result<std::unique_ptr<Process>> Process::start(const std::filesystem::path& program,
                                                const std::vector<std::string>& arguments) {
  auto channel = make_channel();
  auto output = make_output();
  if (!channel || !output)
    return work_failed(fmt::format("no pipe for {}: {}", program.string(), std::strerror(errno)));
  const SpawnSettings settings(channel->theirs.get(), output->theirs.get());
  TARE_TRY(const pid_t child, spawn(program, arguments, settings));
  auto state = std::make_unique<State>();
  state->child = child;
  state->channel = std::move(channel->ours);
  state->output = std::move(output->ours);
  set_nonblocking(state->channel);
  set_nonblocking(state->output);
  return std::unique_ptr<Process>(new Process(std::move(state)));
}

Result<std::string> Process::exchange(std::string_view line, const Bounds& bounds) {
  State& state = *state_;
  if (!state.fault.empty()) return work_failed(state.fault);
  const std::string request = std::string(line) + '\n';
  std::string_view rest = request;
  const auto deadline = Clock::now() + bounds.time;
  state.received.clear();
  std::size_t searched = 0;
  while (true) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now());
    if (left.count() <= 0)
      return state.fail(fmt::format("it took longer than {} s and was ended",
                                    static_cast<double>(bounds.time.count()) / 1000));
    if (bounds.stop.stop_requested()) return state.interrupted();
    state.wait(!rest.empty(), bounds.stop.stop_possible() ? std::min(left, kGlance) : left);
    if (!rest.empty() && !state.send_some(rest)) return state.ended();
    const bool open = state.read_answer();
    const std::size_t end = state.received.find('\n', searched);
    if (end != std::string::npos) return state.received.substr(0, end);
    searched = state.received.size();
    if (searched > bounds.answer_bytes)
      return state.fail(
          fmt::format("its answer is longer than {} bytes; it was ended", bounds.answer_bytes));
    if (!open) return state.ended();
  }
}

std::string Process::last_words() const {
  std::string_view text = unicode::strip(state_->printed);
  text = text.substr(text.find_last_of('\n') + 1);
  if (text.size() > kLongestWords) text = text.substr(text.size() - kLongestWords);
  std::string out;
  for (std::size_t pos = 0; pos < text.size();) {
    const char32_t c = unicode::decode(text, pos);
    unicode::append(out, unicode::is_printable(c) ? c : U'\uFFFD');
  }
  return out;
}

}  // namespace tare::base
