#pragma once

#include <span>
#include <string>

#include "base/result.h"

namespace tare::cli {

/// The error of a value that is none of the names which may stand there: "--mode fats: wanted
/// pinned or fast; did you mean fast?". `place` is an option or a command.
base::Failure unknown_name(const std::string& place, const std::string& found,
                           std::span<const std::string> names);

}  // namespace tare::cli
