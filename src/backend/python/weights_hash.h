#pragma once

#include <filesystem>
#include <string>

#include "base/result.h"

namespace tare::backend::python {

/// Errors: neither a GGUF file nor a folder with config.json and weights as safetensors.
base::Status check_weights(const std::filesystem::path& path);

/// The SHA-256 of a GGUF file; of a folder, that of a line "HASH  NAME" for each file of weights,
/// configuration and tokenizer, by name.
base::Result<std::string> weights_hash(const std::filesystem::path& path);

}  // namespace tare::backend::python
