#pragma once

#include <vector>

#include "backend/backend.h"
#include "cli/run_options.h"
#include "core/execution.h"
#include "core/run_record.h"
#include "core/task.h"
#include "plan/plan.h"

namespace tare::cli {

/// Seconds since this program was started.
double seconds_since_process_start();

/// What the backend, the machine and the clock say about how the run went, which took `seconds`.
void fill_execution(core::Execution& execution, const backend::Backend& backend, double seconds);

/// Fills in what the record says about the model, the settings and the build.
void fill_record(core::RunRecord& record, const RunOptions& options,
                 const backend::Backend& backend, const plan::Plan& plan);

base::Value capabilities_value(const backend::Capabilities& can);

/// What answers: the block of the results, without the place of the model file.
base::Dict backend_value(const backend::Backend& backend);

/// The part of it that an identity tells, and the hash of the weights alone.
base::Dict identity_value(const backend::Identity& identity);
base::Dict weights_value(const std::string& sha256);

/// The run's settings as the user gave them, with the defaults filled in.
base::Value settings_value(const RunOptions& options);

}  // namespace tare::cli
