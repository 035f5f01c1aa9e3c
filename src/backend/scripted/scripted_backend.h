#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "backend/backend.h"
#include "base/result.h"

namespace tare::backend::scripted {

/// Opens the scripted backend: answers come from a JSON file (docs/formats/scripted.md), tokens are
/// bytes. `source` is a path, or "zero": pseudo-random log-likelihoods in [-1, 0), never greedy, as
/// lm-eval's `dummy` model gives them from Python's random seeded with 0.
base::Result<std::unique_ptr<Backend>> open(const std::string& source);

}  // namespace tare::backend::scripted
