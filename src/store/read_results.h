#pragma once

#include <filesystem>

#include "base/result.h"
#include "base/value.h"
#include "core/run_record.h"

namespace tare::store {

/// The folder's results.json as far as a table of scores needs it: tasks without documents, groups,
/// estimates, the model as it was named, the settings. Error: no finished run, a file that is none
/// of its results.
base::Result<core::RunRecord> read_results(const std::filesystem::path& folder);

/// The same of a document that tare or lm-eval wrote; `file` is named in errors.
base::Result<core::RunRecord> results_of(const base::Value& root,
                                         const std::filesystem::path& file);
}  // namespace tare::store
