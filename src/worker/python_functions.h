#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <string>

#include "base/result.h"
#include "base/value.h"
#include "core/functions.h"

namespace tare::worker {

/// How Python functions are run.
struct PythonOptions {
  std::filesystem::path interpreter = "python3";     ///< looked up in PATH if it has no slash
  std::chrono::milliseconds call_limit{60'000};      ///< of one call, imports included
  std::size_t memory_bytes = std::size_t{16} << 30;  ///< address space of the process
  std::size_t file_bytes = std::size_t{1} << 30;     ///< of a file that it writes
  std::size_t answer_bytes = std::size_t{1} << 30;   ///< of one answer
  bool run_unsafe_code = false;                      ///< programs that a model wrote, in a sandbox
};

/// Runs any Python function in a process of its own, without a network where the system allows
/// that. One process serves a run from start to end, so that what a module keeps is kept as in
/// lm-eval; if it dies, all later calls fail. The thread that started it has to outlive it: the
/// system ends the process with that thread. Calls come from one thread at a time.
class PythonFunctions final : public core::Functions {
 public:
  /// Errors say what the interpreter lacks, or why no sandbox can be had when `run_unsafe_code`.
  static base::Result<std::unique_ptr<PythonFunctions>> start(const PythonOptions& options);
  ~PythonFunctions() override;

  /// Any function whose file exists or whose module can be imported.
  [[nodiscard]] bool knows(const core::FunctionRef& function, core::FunctionUse use) const override;
  base::Result<base::Value> call(const core::FunctionRef& function, core::FunctionUse use,
                                 std::span<const base::Value> arguments) override;

  /// What ran, for the result file: interpreter, version, network, sandbox, and the SHA-256 of each
  /// task file that was loaded so far. A dict.
  [[nodiscard]] base::Value identity() const;
  /// What the user should know at the start; "" if nothing.
  [[nodiscard]] std::string warning() const;

 private:
  struct Conversation;
  PythonFunctions(std::unique_ptr<Conversation> conversation, base::Value hello);
  std::unique_ptr<Conversation> conversation_;
  base::Value hello_;  ///< what the worker said of itself
};

}  // namespace tare::worker
