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

/// One kind of fault of a task's documents.
struct DocumentFaults {
  std::string text;  ///< of the first
  std::size_t count = 0;
  std::vector<std::size_t> doc_ids;  ///< of the first few
};

/// What became of one task that was built to see whether it can be.
struct Validation {
  std::string task;
  Outcome outcome = Outcome::ok;
  std::string reason;  ///< "" if it is fine; of several faults the first
  std::vector<DocumentFaults> faults;
  std::vector<core::Warning> warnings;
  core::BuiltTask built;  ///< if it is fine; else without the documents that have faults
};

/// One line of `tare validate --json` (docs/formats/validation.md).
base::Value validation_line(const Validation& validation);

}  // namespace tare::store
