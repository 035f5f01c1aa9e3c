#pragma once

#include <filesystem>
#include <vector>

#include "base/result.h"

namespace tare::cli {

struct ReportOptions {
  std::vector<std::filesystem::path> runs;
  std::filesystem::path output;
  bool token_logprobs = false;  ///< asked of the models again
  bool quiet = false;
};

/// Writes the page of finished runs, whole or not at all; nothing else is left behind. Errors: a
/// folder without results, a place where no page can be written, both before samples are read;
/// samples that cannot be read, a model that cannot be asked again, a file that cannot be written.
base::Status write_report(const ReportOptions& options);

}  // namespace tare::cli
