#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "shims/interpreter.h"

namespace tare::shims {

/// A datasets.Dataset: rows with the same columns. Operations give new ones, as there.
struct Dataset final : PyObject {
  explicit Dataset(std::vector<Value> r) : rows(std::move(r)) {}
  [[nodiscard]] std::string_view python_type() const override { return "Dataset"; }
  Value attribute(Interpreter& python, std::string_view name) override;
  Value item(Interpreter& python, const Value& index) override;
  std::optional<std::vector<Value>> items(Interpreter& python) override;
  [[nodiscard]] std::optional<std::size_t> length() const override { return rows.size(); }
  std::vector<Value> rows;  ///< dicts
};

}  // namespace tare::shims
