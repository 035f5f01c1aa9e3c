#pragma once

#include "core/functions.h"

/// The steps of the benchmarks that tare brings (tasks/backend_study) which the task language
/// cannot say: documents to items with options, answers to the metrics of one item
/// (docs/design/benchmarks.md).
namespace tare::benchmarks {

/// Knows the functions that a task names with !function tare.NAME, unless a file tare.py beside the
/// task takes the name.
class Functions final : public core::Functions {
 public:
  [[nodiscard]] bool knows(const core::FunctionRef& function, core::FunctionUse use) const override;
  base::Result<base::Value> call(const core::FunctionRef& function, core::FunctionUse use,
                                 std::span<const base::Value> arguments) override;
};

}  // namespace tare::benchmarks
