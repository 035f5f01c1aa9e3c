#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace tare::store {

/// Where the files of a finished run are, whether tare or lm-eval wrote them.
struct RunFiles {
  std::filesystem::path results;
  std::filesystem::path folder;  ///< of the samples
  /// The time at the end of lm-eval's file names, "2026-11-29T18-13-33.957052"; "" for tare's.
  std::string time;
  std::vector<std::filesystem::path> passed_over;  ///< older results beside them, the newest first

  /// True of a folder that tare wrote: what it holds beside the results belongs to them.
  [[nodiscard]] bool own() const;
  /// The samples file of a task; it may not be there.
  [[nodiscard]] std::filesystem::path samples(const std::string& task) const;
};

/// The files of a folder that tare wrote.
RunFiles own_files(const std::filesystem::path& folder);

/// Whether tare or lm-eval gives a file of a run, a study or a floor this name.
bool is_run_file_name(std::string_view name);

/// The run that a user names: by tare's output folder, the folder that lm-eval was given as
/// --output_path, the model's folder in it, or a file of results. Of several results of one model
/// the newest. Error: there is none, or there are several models'.
base::Result<RunFiles> find_run(const std::filesystem::path& named);

}  // namespace tare::store
