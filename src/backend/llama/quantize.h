#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"

namespace tare::backend::llama {

struct QuantizeOptions {
  std::string type;      ///< one of quantize_types(), in any case
  unsigned threads = 0;  ///< 0: as many as the machine has
  bool force = false;    ///< replace an existing output file
};

/// "F32", "F16", "BF16", "Q8_0", "Q4_K_M", ...
std::vector<std::string> quantize_types();

/// Writes the model in another number format, from any format (what a coarse one has lost stays
/// lost). The output appears whole or not at all. Errors: the input (check_gguf), an output that
/// exists, an unknown type, what llama.cpp says.
base::Status quantize(const std::filesystem::path& input, const std::filesystem::path& output,
                      const QuantizeOptions& options);

}  // namespace tare::backend::llama
