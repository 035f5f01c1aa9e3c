#pragma once

#include <memory>
#include <string>

#include "base/hash.h"
#include "core/functions.h"
#include "support/support.h"
#include "worker/python_functions.h"

namespace tare::worker {

/// A worker on the python3 of PATH; the test fails if it does not start.
std::unique_ptr<PythonFunctions> start_worker(const PythonOptions& options = {});

/// Whether this system lets a process have namespaces of its own; says what is skipped if not.
bool have_namespaces();

/// A function of a helper file that is written into `dir` for it.
core::FunctionRef helper(const test::TempDir& dir, const std::string& name,
                         const std::string& code);

}  // namespace tare::worker
