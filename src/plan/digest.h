#pragma once

#include <span>
#include <string>

#include "core/task.h"
#include "plan/encode.h"

namespace tare::plan {

/// SHA-256 over all that is asked, position by position: the tokens, which of them are scored, how
/// answers are generated. Equal digests mean that an answer to a position of one list is an answer
/// to that position of the other. Seeds of sampling are left out: they follow from the run's.
std::string digest(std::span<const core::BuiltTask> tasks,
                   std::span<const EncodedRequest> requests);

}  // namespace tare::plan
