#pragma once

#include <filesystem>

#include "base/value.h"
#include "cli/study_plan.h"
#include "study/findings.h"

/// What `tare study --json` prints (docs/formats/study.md).
namespace tare::cli {

/// Of a study that is planned: its cells and the time they take.
base::Value plan_value(const StudyPlan& plan);

/// Of a study as far as it has been run, with its report in `folder`.
base::Value study_value(const StudyPlan& plan, const study::Findings& findings,
                        const std::filesystem::path& folder);

}  // namespace tare::cli
