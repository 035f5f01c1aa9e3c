#pragma once

#include <filesystem>
#include <string>

#include "base/result.h"
#include "cli/run_options.h"
#include "run/forecast.h"

namespace tare::cli {

/// Remembers in tare's cache folder how fast models were asked on this machine, so that the time of
/// a run can be told before it (docs/formats/speeds.md). What cannot be read or written is as if
/// nothing were known: no run depends on it.
class SpeedMemory {
 public:
  /// An empty path: nothing is remembered.
  explicit SpeedMemory(std::filesystem::path file) : file_(std::move(file)) {}

  [[nodiscard]] run::Speeds recall(const std::string& key) const;
  /// A speed that is not known now keeps its older value.
  void remember(const std::string& key, const run::Speeds& speeds) const;

 private:
  std::filesystem::path file_;
};

/// The memory in cache_dir().
SpeedMemory speed_memory();

/// What decides how fast a model is asked: the machine's name, the build, the weights, threads, CPU
/// tier and the model's options. Empty for models that are no file.
std::string speed_key(const RunOptions& options);

}  // namespace tare::cli
