#pragma once

#include <cstddef>
#include <string>

namespace tare::backend::llama {

/// What decides whether a CPU library runs here: CPU model, microcode, its flags, kernel. As text
/// to compare, not to read.
std::string machine_description();

/// The machine's main memory, 0 if unknown.
std::size_t memory_bytes();

}  // namespace tare::backend::llama
