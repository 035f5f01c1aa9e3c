#pragma once

#include <memory>

#include "base/result.h"
#include "base/value.h"
#include "cli/task_options.h"
#include "worker/function_chain.h"

namespace tare::cli {

/// What runs the functions of tasks: the native twins, then Python where the user allows it. To be
/// kept as long as `options.build.functions` is used.
base::Result<worker::OpenFunctions> open_functions(TaskOptions& options);

/// What ran Python, for the result file; none without --allow-python.
base::Value python_identity(const worker::OpenFunctions& functions);

}  // namespace tare::cli
