#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace tare::base {

/// The whole file. The error names the path and the system's reason.
Result<std::string> read_file(const std::filesystem::path& path);

/// Hands the file to `use` piece by piece, for files that need not fit into memory.
Status read_chunks(const std::filesystem::path& path,
                   const std::function<void(std::string_view)>& use);

/// Writes beside the target, syncs, then renames: a reader sees the old file or the new one whole.
Status write_file(const std::filesystem::path& path, std::string_view bytes);

/// True of names that write_file gives to what it has not finished, which stay after a kill.
bool is_draft(std::string_view name);

/// A folder that one process has for itself, as far as others ask for the lock too. Given back at
/// the end of the object or the process.
class FolderLock {
 public:
  /// Empty if another process has it.
  static std::optional<FolderLock> take(const std::filesystem::path& folder);
  FolderLock(FolderLock&& other) noexcept;
  FolderLock& operator=(FolderLock&& other) noexcept;
  ~FolderLock();

 private:
  explicit FolderLock(int descriptor) : descriptor_(descriptor) {}
  int descriptor_ = -1;
};

/// Makes the folder (and its parents) if need be and proves by a probe file that it can be written.
Status ensure_writable_folder(const std::filesystem::path& folder);

}  // namespace tare::base
