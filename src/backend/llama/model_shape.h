#pragma once

#include <filesystem>

#include "base/result.h"
#include "core/model_shape.h"

namespace tare::backend::llama {

/// From a model file's header; the weights are not read. Errors: those of read_gguf(), and a model
/// whose work the shape does not tell: recurrent layers, a header without the number of heads.
base::Result<core::ModelShape> read_shape(const std::filesystem::path& path);

}  // namespace tare::backend::llama
