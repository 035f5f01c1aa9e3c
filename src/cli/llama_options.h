#pragma once

#include "backend/llama/llama_backend.h"
#include "base/result.h"
#include "cli/run_options.h"

namespace tare::cli {

/// The options of a gguf: model. Errors name the argument.
base::Result<backend::llama::Options> llama_options(const RunOptions& options);

}  // namespace tare::cli
