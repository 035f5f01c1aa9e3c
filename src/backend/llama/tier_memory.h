#pragma once

#include <filesystem>
#include <optional>

#include "backend/llama/tiers.h"

namespace tare::backend::llama {

/// Remembers which tier passed its probe on this CPU, kernel and llama.cpp build, in a small file,
/// so that a program starts without probing. A file that is missing, damaged or about something
/// else is as none.
class TierMemory {
 public:
  /// An empty folder: nothing is remembered.
  explicit TierMemory(std::filesystem::path folder);
  [[nodiscard]] std::optional<TierChoice> recall() const;
  /// A folder that cannot be written costs the next start a probe and nothing else.
  void remember(const TierChoice& choice) const;

 private:
  std::filesystem::path file_;
  std::string key_;
};

}  // namespace tare::backend::llama
