#pragma once

#include <string>
#include <vector>

#include "base/value.h"
#include "core/score.h"
#include "core/task.h"

namespace tare::store {

enum class Outcome {
  ok,
  refused,  ///< it needs something that this build or these options lack
  faulty,   ///< its YAML or its data is wrong
};

/// What became of one task that was built to see whether it can be.
struct Validation {
  std::string task;
  Outcome outcome = Outcome::ok;
  std::string reason;  ///< "" if it is fine
  std::vector<core::Warning> warnings;
  core::BuiltTask built;  ///< if it is fine
};

/// One line of `tare validate --json` (docs/formats/validation.md).
base::Value validation_line(const Validation& validation);

}  // namespace tare::store
