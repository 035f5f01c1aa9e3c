#pragma once

#include <filesystem>
#include <functional>
#include <string_view>

#include "base/result.h"

namespace tare::hub {

/// A lock on a file between processes (flock), held for the object's life. huggingface_hub takes
/// the same one.
class FileLock {
 public:
  /// Waits for it; `notify` is told once if that takes time. The folder must be there.
  static base::Result<FileLock> take(const std::filesystem::path& file,
                                     const std::function<void(std::string_view)>& notify);
  ~FileLock();
  FileLock(FileLock&& other) noexcept;
  FileLock& operator=(FileLock&& other) noexcept;

 private:
  explicit FileLock(int descriptor) : descriptor_(descriptor) {}
  int descriptor_ = -1;
};

}  // namespace tare::hub
