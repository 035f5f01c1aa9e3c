#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "base/result.h"

namespace tare::backend::llama {

struct QuantizeOptions {
  std::string type{};                  ///< one of quantize_types(), in any case
  unsigned threads = 0;                ///< 0: as many as the machine has; no byte depends on it
  bool force = false;                  ///< replace an existing output file
  std::filesystem::path importance{};  ///< a file of read_importance(); empty: none
  bool leave_output = false;           ///< the matrix of the vocabulary stays as it is
  bool pure = false;                   ///< all tensors alike, without llama.cpp's mixtures
  /// Where the file grows: a base::draft_name() of the output, or empty for a new one.
  std::filesystem::path draft{};
};

/// A model file by its numbers.
struct Quantized {
  std::string type;                            ///< as llama.cpp spells it
  std::uint64_t bytes = 0;                     ///< of the file
  double bits_per_weight = 0;                  ///< of the tensors' data
  std::map<std::string, std::size_t> tensors;  ///< how many there are of each format
  std::string sha256;                          ///< of the file
  /// Formats of the input's tensors that had lost precision before.
  std::vector<std::string> coarse;
};

/// "F32", "F16", "BF16", "Q8_0", "Q4_K_M", ...
std::vector<std::string> quantize_types();

/// Writes the model in another number format with llama.cpp's quantizer, from any format (what a
/// coarse one has lost stays lost). The output appears whole or not at all. Errors, before the
/// work: the input (check_gguf), an output that exists, an unknown type, a type that needs an
/// importance matrix; then a full disk by its name, and what llama.cpp says.
base::Result<Quantized> quantize(const std::filesystem::path& input,
                                 const std::filesystem::path& output,
                                 const QuantizeOptions& options);

}  // namespace tare::backend::llama
