#include "cli/output_folder.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "base/files.h"
#include "store/find_run.h"
#include "store/journal.h"
#include "store/results.h"

namespace tare::cli {
namespace fs = std::filesystem;

namespace {

/// A run's journal is never empty once there are results.
base::Status check_resumable(const fs::path& path) {
  TARE_TRY(const bool finished, store::holds_finished_run(path));
  if (!finished || store::holds_started_journal(path)) return {};
  return base::input_error(
      fmt::format("--output {}: holds results.json without the journal of its run, so it cannot "
                  "be resumed; name another folder or remove it",
                  path.string()));
}

}  // namespace

base::Status check_free(const fs::path& folder) {
  std::error_code absent;
  const bool free = !fs::is_directory(folder, absent) || fs::is_empty(folder, absent);
  if (free || store::holds_journal(folder)) return {};
  return base::input_error(
      fmt::format("--output {}: holds other files; name a folder that is empty or not there yet",
                  folder.string()));
}

base::Status check_output_file(const fs::path& file, const std::vector<fs::path>& runs) {
  std::error_code unknown;
  if (!fs::exists(file, unknown)) return {};
  if (fs::is_directory(file, unknown))
    return base::input_error(
        fmt::format("--output {}: is a folder; wanted the name of a file", file.string()));
  if (!fs::is_regular_file(file, unknown))
    return base::input_error(
        fmt::format("--output {}: is a device or a pipe; wanted the name of a file, or of none yet",
                    file.string()));
  const bool is_read = std::ranges::any_of(
      runs, [&](const fs::path& run) { return fs::equivalent(file, run, unknown); });
  if (!is_read && !store::is_run_file_name(file.filename().string())) return {};
  return base::input_error(fmt::format(
      "--output {}: is a file of a run, which would be lost; name another file", file.string()));
}

base::Result<OutputFolder> OutputFolder::claim(const fs::path& path) {
  TARE_CHECK(check_resumable(path));
  TARE_CHECK(check_free(path));
  auto made = make(path);
  if (!made) return base::in_context("--output", made.error());
  OutputFolder folder = std::move(*made);
  folder.lock_ = base::FolderLock::take(folder.path_);
  if (!folder.lock_) {
    folder.made_.clear();
    return base::input_error(fmt::format(
        "--output {}: another run is at work in it; name another folder", path.string()));
  }
  store::remove_leftovers(folder.path_);
  folder.path_ = path;
  return folder;
}

base::Result<OutputFolder> OutputFolder::make(const fs::path& path) {
  OutputFolder folder(fs::absolute(path).lexically_normal());
  for (fs::path p = folder.path_; !p.empty() && !fs::exists(p); p = p.parent_path())
    folder.made_.push_back(p);
  const auto writable = base::ensure_writable_folder(folder.path_);
  if (!writable) return base::input_error(writable.error().text);
  return folder;
}

base::Status OutputFolder::check_writable(const fs::path& path) {
  TARE_CHECK(make(path));
  return {};
}

OutputFolder::OutputFolder(OutputFolder&& other) noexcept
    : path_(std::move(other.path_)),
      made_(std::exchange(other.made_, {})),
      lock_(std::move(other.lock_)) {}

OutputFolder::~OutputFolder() {
  std::error_code not_empty;
  for (const fs::path& path : made_) fs::remove(path, not_empty);
}

fs::path default_output() {
  const auto now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  const std::string stamp = fmt::format("tare-runs/{:%Y%m%d-%H%M%S}", fmt::gmtime(now));
  fs::path path = stamp;
  for (int n = 2; fs::exists(path); ++n) path = fmt::format("{}-{}", stamp, n);
  return path;
}

}  // namespace tare::cli
