#pragma once

#include "base/value.h"
#include "core/run_record.h"

namespace tare::store {

/// What results.json says beyond lm-eval's layout: where the numbers come from.
base::Value run_block(const core::RunRecord& run);

/// The entry of a dict that the record's maker filled; None where it is missing.
base::Value entry(const base::Value& dict, const char* key);

}  // namespace tare::store
