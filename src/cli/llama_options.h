#pragma once

#include <string>
#include <vector>

#include "backend/llama/llama_backend.h"
#include "base/result.h"
#include "cli/run_options.h"

namespace tare::cli {

/// The options of a gguf: model. Errors name the argument.
base::Result<backend::llama::Options> llama_options(const RunOptions& options);

/// What may stand behind the path of a gguf: model, the chat template's arguments aside.
std::vector<std::string> gguf_argument_names();

}  // namespace tare::cli
