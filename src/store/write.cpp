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

void remove_leftovers(const fs::path& folder) {
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename().string();
    const bool ours = name.starts_with("samples_") || name.starts_with(fields::kResultsFile) ||
                      name.starts_with(fields::kExecutionFile) || name.starts_with(".tare-probe");
    if (ours && base::is_draft(name)) fs::remove(entry.path(), error);
  }
}

base::Status reopen_run(const fs::path& folder) {
  for (const char* name : {fields::kResultsFile, fields::kExecutionFile}) {
    std::error_code error;
    fs::remove(folder / name, error);
    if (error)
      return base::work_failed(
          fmt::format("{}: cannot be removed: {}", (folder / name).string(), error.message()));
  }
  return {};
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
