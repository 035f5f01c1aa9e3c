#include "cli/functions.h"

#include <fmt/format.h>

#include <cstdio>

#include "benchmarks/functions.h"
#include "cli/tell.h"
#include "shims/native_functions.h"

namespace tare::cli {

base::Result<worker::OpenFunctions> open_functions(TaskOptions& options) {
  worker::PythonOptions python;
  python.interpreter = options.python;
  python.run_unsafe_code = options.build.run_unsafe_code;
  std::vector<std::unique_ptr<core::Functions>> built_in;
  built_in.push_back(std::make_unique<benchmarks::Functions>());
  built_in.push_back(std::make_unique<shims::NativeFunctions>());
  TARE_TRY(worker::OpenFunctions functions,
           worker::open_functions(std::move(built_in), options.allow_python ? &python : nullptr));
  if (functions.python != nullptr && !functions.python->warning().empty())
    tell("tare: warning: {}\n", functions.python->warning());
  options.build.functions = functions.chain.get();
  return functions;
}

base::Value python_identity(const worker::OpenFunctions& functions) {
  return functions.python == nullptr ? base::Value() : functions.python->identity();
}

}  // namespace tare::cli
