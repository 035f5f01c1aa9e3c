#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "backend/backend.h"
#include "base/result.h"
#include "core/manner.h"

namespace tare::backend::llama {

/// Computes answers in one manner that is exactly what was asked for, as other programs do it:
/// answers may depend on how and beside what they are computed. Scores of `tare run` come from
/// open() instead, whose shapes are pinned; this shows what others make of them. Loads the tier,
/// which no other may follow in this process. `sha256`: of the file, "" has it read.
base::Result<std::unique_ptr<Backend>> open_in_manner(const std::filesystem::path& path,
                                                      const std::string& sha256,
                                                      const core::Manner& manner);

/// What it will say of itself. Reads the whole file for its hash unless that is known.
base::Result<Identity> identity_in_manner(const std::filesystem::path& path,
                                          const std::string& sha256, const core::Manner& manner);

}  // namespace tare::backend::llama
