#pragma once

#include <vector>

#include "base/value.h"
#include "core/document.h"
#include "core/run_record.h"

namespace tare::store {

/// What results.json says beyond lm-eval's layout: where the numbers come from.
base::Value run_block(const core::RunRecord& run);

/// Files as a list of dicts: path, hash and where each came from.
base::Value files_value(const std::vector<core::SourceFile>& sources);

/// Warnings as a list of dicts: code, text, count.
base::Value warnings_value(const std::vector<core::Warning>& all);

/// The entry of a dict that the record's maker filled; None where it is missing.
base::Value entry(const base::Value& dict, const char* key);

}  // namespace tare::store
