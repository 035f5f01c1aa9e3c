#pragma once

#include <filesystem>

#include "base/result.h"

namespace tare::backend::llama {

/// Reads a model file's metadata (milliseconds; no weights) and refuses what could not be loaded:
/// missing, unreadable, no GGUF file, a version that llama.cpp does not read, damaged metadata, cut
/// off before the end of its tensors, or one part of several.
base::Status check_gguf(const std::filesystem::path& path);

}  // namespace tare::backend::llama
