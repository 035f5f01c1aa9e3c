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

/// A name beside the target for what is not finished yet, another one at each call. It stays after
/// a kill.
std::filesystem::path draft_name(const std::filesystem::path& target);

/// True of such names.
bool is_draft(std::string_view name);

/// Syncs a finished draft, then renames it: the target is the old file or the new one whole.
Status publish_draft(const std::filesystem::path& draft, const std::filesystem::path& target);

/// Why no more bytes can be written to the end of a file, which is made if need be: "No space left
/// on device"; "" if they can. They stay there: for files that are thrown away.
std::string append_fault(const std::filesystem::path& file);

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
