#pragma once

#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/value.h"
#include "cli/floor_options.h"
#include "cli/floor_worker.h"
#include "floor/setting.h"

namespace tare::cli {

/// A setting with the tier that it gets on this machine.
struct PlannedSetting {
  floor::Setting setting;
  std::string missing;  ///< why it cannot be computed here; "" if it can
};

struct PlannedFile {
  std::filesystem::path path;
  std::string sha256;
  std::optional<LoadedFile> loaded;
  std::string fault;                      ///< why it did not load
  std::optional<double> seconds_a_token;  ///< at the reference, tried on a few tokens
};

/// Everything that is known before the grid is computed.
struct FloorPlan {
  floor::Setting reference;
  std::vector<PlannedSetting> settings;
  std::vector<PlannedFile> files;
  std::vector<Window> windows;
  std::size_t window = 0, positions = 0;
  std::string text_name, text_sha256;
  std::string windows_sha256;  ///< over all tokens
};

/// Reads grid and text, probes the tiers, loads each file once and cuts its tokens. A file that
/// does not load is no error where another one does. Errors: wrong words or files, a reference that
/// this machine cannot compute, a text that is too short, files with different tokens.
base::Result<FloorPlan> plan_floor(const FloorOptions& options, const std::stop_token& stop);

/// The largest file of rows that the grid needs at a time, in bytes.
std::size_t row_bytes(const FloorPlan& plan);

/// What the results depend on, for the log of parts.
base::Value settings_value(const FloorPlan& plan);

/// Settings, their tiers, and the seconds that each is expected to take.
std::string plan_text(const FloorPlan& plan);

/// The same for --json; seconds are null where a file was not tried.
base::Value plan_value(const FloorPlan& plan);

/// Expected seconds for all windows of a setting of a file; none before the file was tried.
std::optional<double> expected_seconds(const FloorPlan& plan, const PlannedFile& file,
                                       const core::Manner& manner);

}  // namespace tare::cli
