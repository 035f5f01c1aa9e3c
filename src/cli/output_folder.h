#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "base/files.h"
#include "base/result.h"

namespace tare::cli {

/// The folder a run writes into, proved writable before the model loads. Folders that it had to
/// make are removed again, if still empty, unless keep() is called: a refused run leaves nothing
/// behind.
class OutputFolder {
 public:
  /// Error: the folder cannot be made or written, it holds results without a journal, or another
  /// run is at work in it.
  static base::Result<OutputFolder> claim(const std::filesystem::path& path);
  /// Error: the folder cannot be made or written. Leaves nothing behind.
  static base::Status check_writable(const std::filesystem::path& path);
  OutputFolder(OutputFolder&& other) noexcept;
  OutputFolder& operator=(OutputFolder&&) = delete;
  ~OutputFolder();

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  void keep() { made_.clear(); }

 private:
  explicit OutputFolder(std::filesystem::path path) : path_(std::move(path)) {}
  static base::Result<OutputFolder> make(const std::filesystem::path& path);

  std::filesystem::path path_;
  std::vector<std::filesystem::path> made_;  ///< innermost first
  std::optional<base::FolderLock> lock_;     ///< held until the run is over
};

/// Error: the folder holds files, and no journal among them: they are not a run's.
base::Status check_free(const std::filesystem::path& folder);

/// Of a file that --output names and that is written after the work. Error: it is there and is no
/// regular file, or it is one of the runs that are read or a file that a run consists of.
base::Status check_output_file(const std::filesystem::path& file,
                               const std::vector<std::filesystem::path>& runs);

/// A folder under tare-runs/ named after the time, which does not exist yet.
std::filesystem::path default_output();

}  // namespace tare::cli
