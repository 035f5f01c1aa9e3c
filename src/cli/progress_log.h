#pragma once

#include <chrono>
#include <filesystem>
#include <fstream>
#include <optional>

#include "base/result.h"
#include "base/value.h"
#include "run/progress.h"

namespace tare::cli {

/// Writes how a run goes, a line of JSON for each phase and each batch of answers
/// (docs/formats/progress.md).
class ProgressLog {
 public:
  /// Without a path it writes nothing.
  static base::Result<ProgressLog> open(const std::optional<std::filesystem::path>& path);
  void enter(run::Phase phase);
  void write(const run::Progress& progress);

 private:
  [[nodiscard]] base::Dict line(run::Phase phase) const;

  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::ofstream file_;
};

}  // namespace tare::cli
