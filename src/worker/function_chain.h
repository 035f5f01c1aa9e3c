#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "core/functions.h"
#include "worker/python_functions.h"

namespace tare::worker {

/// Several ways to run a function, tried in order; the first that knows it runs it.
class FunctionChain final : public core::Functions {
 public:
  explicit FunctionChain(std::vector<std::unique_ptr<core::Functions>> links);
  [[nodiscard]] bool knows(const core::FunctionRef& function, core::FunctionUse use) const override;
  /// Of a function that no link knows: refusal().
  base::Result<base::Value> call(const core::FunctionRef& function, core::FunctionUse use,
                                 std::span<const base::Value> arguments) override;

 private:
  [[nodiscard]] core::Functions* knower(const core::FunctionRef& function,
                                        core::FunctionUse use) const;
  std::vector<std::unique_ptr<core::Functions>> links_;
};

/// What a user is told of a function that nothing runs. The caller puts "task X: FIELD: " before
/// it.
std::string refusal(const core::FunctionRef& function);

/// All that a run needs to call functions.
struct OpenFunctions {
  std::unique_ptr<FunctionChain> chain;
  const PythonFunctions* python = nullptr;  ///< owned by the chain; null without --allow-python
};

/// Those that are built in first, in order, then Python if `python` is given (--allow-python).
base::Result<OpenFunctions> open_functions(std::vector<std::unique_ptr<core::Functions>> built_in,
                                           const PythonOptions* python);

}  // namespace tare::worker
