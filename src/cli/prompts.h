#pragma once

#include <cstddef>
#include <string>

#include "core/task.h"

namespace tare::cli {

/// What the first `documents` documents of a task ask a model, for people: contexts exactly, under
/// lines of their own that begin with "----"; continuations, targets and settings as Python's repr.
std::string prompts_text(const core::BuiltTask& task, std::size_t documents);

}  // namespace tare::cli
