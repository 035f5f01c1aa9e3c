#pragma once

#include <cstddef>

#include "base/value.h"

/// What this process runs on.
namespace tare::cli {

/// A dict: the CPU's name, processors, memory, system.
base::Value machine_value();

/// The most memory that this process has had resident, in bytes.
std::size_t peak_memory();

}  // namespace tare::cli
