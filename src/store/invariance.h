#pragma once

#include "base/result.h"
#include "base/value.h"
#include "core/invariance.h"

namespace tare::store {

/// As `tare.invariance` in results.json (docs/formats/results.md).
base::Value invariance_value(const core::Invariance& invariance);

/// What invariance_value() made. Error: what is missing or of another kind.
base::Result<core::Invariance> read_invariance(const base::Value& value);

}  // namespace tare::store
