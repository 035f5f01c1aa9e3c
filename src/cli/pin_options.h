#pragma once

#include "backend/llama/llama_backend.h"
#include "base/result.h"
#include "cli/run_options.h"

namespace tare::cli {

/// Has the run computed as the pin says. `mode_given`: --mode stands on the command line. Error: an
/// option that says something else, a model that is not computed here.
base::Status obey_pin(PinFile file, bool mode_given, RunOptions& options);

/// The part of it that is said to the backend alone.
void pin_backend(const core::Pin& pin, backend::llama::Options& options);

/// Error: the pin's tier does not run on this machine.
base::Status check_pinned_tier(const RunOptions& options);

/// How a gguf: model is computed with these options on this tier.
core::Pin pin_of(const backend::llama::Options& options, const std::string& tier);

/// Error: --write-pin names what cannot become a file. To be called before the work.
base::Status check_pin_target(const RunOptions& options);

/// Writes the pin that --write-pin asks for. Error: the file is there with another pin in it.
base::Status write_pin(const RunOptions& options, const backend::Backend& backend);

}  // namespace tare::cli
