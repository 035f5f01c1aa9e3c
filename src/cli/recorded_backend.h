#pragma once

#include <filesystem>
#include <memory>

#include "backend/backend.h"
#include "base/result.h"
#include "cli/run_options.h"
#include "store/journal_header.h"

namespace tare::cli {

/// The backend that a journal was written with, as far as it is known without its weights: it says
/// the same of itself and has the same tokens, and answers nothing. `weights` is where the model
/// file is now. Error: a file that is not the one whose hash was recorded.
base::Result<std::unique_ptr<backend::Backend>> recorded_backend(
    const store::JournalHeader& header, const RunOptions& options,
    const std::filesystem::path& weights);

}  // namespace tare::cli
