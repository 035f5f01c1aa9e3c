#pragma once

#include "core/execution.h"
#include "core/run_record.h"

/// Made-up runs for the tests of this room.
namespace tare::test {

/// One multiple_choice task of two documents, the second of which has a failed request, and one
/// loglikelihood task.
core::RunRecord small_run();

/// How it went.
core::Execution small_execution();

/// Compares with a file of tests/cases/store; with UPDATE_EXPECT=1 in the environment the file is
/// written instead. A missing file fails.
void check_text(const std::string& name, const std::string& found);

}  // namespace tare::test
