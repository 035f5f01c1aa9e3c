#pragma once

#include <filesystem>

namespace tare::cli {

/// Where tare keeps what it can make again: TARE_CACHE_DIR, else XDG_CACHE_HOME/tare, else
/// ~/.cache/tare. Empty where none of these is set.
std::filesystem::path cache_dir();

}  // namespace tare::cli
