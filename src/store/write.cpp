#include <fmt/format.h>

#include <system_error>

#include "base/files.h"
#include "store/fields.h"
#include "store/results.h"

namespace tare::store {
namespace fs = std::filesystem;

base::Result<std::vector<fs::path>> write_run(const core::RunRecord& run, const fs::path& folder,
                                              bool with_samples) {
  std::vector<fs::path> written;
  TARE_CHECK(base::ensure_writable_folder(folder));
  for (const core::TaskRecord& task : run.tasks) {
    if (!with_samples) break;
    written.push_back(folder / samples_file_name(task.task.name));
    TARE_CHECK(base::write_file(written.back(), samples_jsonl(task)));
  }
  written.push_back(folder / fields::kResultsFile);
  TARE_CHECK(base::write_file(written.back(), results_json(run)));
  return written;
}

base::Result<bool> holds_finished_run(const fs::path& folder) {
  std::error_code error;
  const bool there = fs::exists(folder / fields::kResultsFile, error);
  if (error)
    return base::input_error(
        fmt::format("{}: cannot look into the folder: {}", folder.string(), error.message()));
  return there;
}

}  // namespace tare::store
