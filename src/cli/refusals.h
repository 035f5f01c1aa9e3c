#pragma once

#include <string>

#include "backend/backend.h"
#include "base/result.h"
#include "cli/run_options.h"

/// What is refused before any question is asked, as far as it can be found without loading a model.
namespace tare::cli {

/// What needs no tasks: a response cache that is none, a chat template that is not there, weights
/// that are missing or broken, a Python environment that is missing. Opens the chat template.
base::Status check_before_tasks(RunOptions& options);

/// What answers, and what it can do.
struct Abilities {
  backend::Capabilities can;
  std::string backend;  ///< as Identity::backend
};

/// From the kind of backend where that says it. Servers and scripts are opened to be asked: a
/// server that cannot be reached is an error.
base::Result<Abilities> abilities_before_loading(const RunOptions& options);

}  // namespace tare::cli
