#pragma once

#include <cstddef>
#include <string>

namespace tare::backend::llama {

/// What decides whether a CPU library runs here: CPU model, microcode, its flags, kernel. As text
/// to compare, not to read.
std::string machine_description();

/// Memory that this process may still take without pushing out others: what the system says is
/// available, or what its control group has left, whichever is less. 0 if unknown.
std::size_t available_memory();

/// The memory that this process has resident now; 0 if unknown.
std::size_t resident_memory();

}  // namespace tare::backend::llama
