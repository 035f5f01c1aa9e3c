#pragma once

#include <string>

namespace tare::backend::llama {

/// What decides whether a CPU library runs here: CPU model, microcode, its flags, kernel. As text
/// to compare, not to read.
std::string machine_description();

}  // namespace tare::backend::llama
