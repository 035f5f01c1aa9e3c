#pragma once

#include <filesystem>

#include "base/result.h"
#include "cli/study_plan.h"
#include "study/findings.h"

namespace tare::cli {

/// Reads the finished cells and compares the backends. Error: there is none, or one cannot be read.
base::Result<study::Findings> gather(const StudyPlan& plan);

/// Writes report/ into the study's folder; returns that folder.
base::Result<std::filesystem::path> write_report(const study::Findings& findings);

/// The warnings to stderr, the first tables to stdout.
void print_report(const study::Findings& findings);

}  // namespace tare::cli
