#pragma once

#include <filesystem>
#include <functional>
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

/// Makes the folder (and its parents) if need be and proves by a probe file that it can be written.
Status ensure_writable_folder(const std::filesystem::path& folder);

}  // namespace tare::base
