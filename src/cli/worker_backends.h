#pragma once

#include <string_view>

#include "backend/python/python_backend.h"
#include "base/result.h"
#include "cli/prepare.h"
#include "cli/run_options.h"

/// hf:, hf-pipeline:, langchain-hf: and vllm: models, which a Python worker answers for.
namespace tare::cli {

bool is_worker_scheme(std::string_view scheme);

/// Errors: a model argument that is unknown or has a wrong value, or no Python environment.
base::Result<backend::python::Options> worker_options(const RunOptions& options);

/// All that can be known to be wrong without loading anything.
base::Status check_worker_model(const RunOptions& options);

/// Loads the model.
base::Result<OpenedBackend> open_worker_backend(const RunOptions& options);

}  // namespace tare::cli
