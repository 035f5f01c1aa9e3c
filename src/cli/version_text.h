#pragma once

#include <string>

#include "base/value.h"

namespace tare::cli {

/// All that is pinned: this program, what is built into it, the lm-eval whose numbers it gives, and
/// the packages of its Python environments. What `tare --version --json` prints.
base::Value version_document();

/// The same in a line each.
std::string version_text();

}  // namespace tare::cli
