#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace tare::backend::llama {

/// How a child process ended.
struct ChildEnd {
  int exit_code = 0;
  int signal = 0;          ///< that killed it; 0: none
  bool timed_out = false;  ///< it was killed for being too slow
  std::string fault{};     ///< why it could not be started, "" if it was
};

/// Runs a program with arguments, without input and output, and waits for its end. It is killed
/// after `limit`.
ChildEnd run_child(const std::filesystem::path& program, const std::vector<std::string>& arguments,
                   std::chrono::milliseconds limit);

/// What a child wrote to its standard output, and how it ended.
struct ChildOutput {
  ChildEnd end;
  std::string text;
};

/// The same, keeping what the child writes to its standard output.
ChildOutput capture_child(const std::filesystem::path& program,
                          const std::vector<std::string>& arguments,
                          std::chrono::milliseconds limit);

/// "was killed by signal 4 SIGILL", "did not end within 10 s"; "" for one that ended well.
std::string fault_of(const ChildEnd& end, std::chrono::milliseconds limit);

/// "SIGILL" for 4, and so on; "" for a signal without a name here.
std::string signal_name(int signal);

}  // namespace tare::backend::llama
