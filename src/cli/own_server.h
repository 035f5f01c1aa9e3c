#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "cli/command.h"

/// Servers that this program starts for itself.
namespace tare::cli {

/// The word by which this program starts itself to become another one that ends with its parent.
inline constexpr const char* kBound = "--bound";

/// Becomes the program that `words` call, with its arguments. It is killed when the process that
/// started this one ends, however that happens. Returns only if the program cannot be started.
ExitCode become_bound(std::vector<std::string> words);

/// A port of this machine on which nothing listens.
base::Result<std::uint16_t> free_port();

}  // namespace tare::cli
