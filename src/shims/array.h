#pragma once

#include <vector>

#include "shims/builtins.h"

namespace tare::shims {

/// A one-dimensional numpy.ndarray of bool, int64 or float64. Its scalars are Python's numbers.
struct Array final : PyObject {
  enum class Type { boolean, integer, real };
  Array(Type t, std::vector<double> v) : type(t), values(std::move(v)) {}
  [[nodiscard]] std::string_view python_type() const override { return "numpy.ndarray"; }
  Value attribute(Interpreter& python, std::string_view name) override;
  Value item(Interpreter& python, const Value& index) override;
  std::optional<std::vector<Value>> items(Interpreter& python) override;
  [[nodiscard]] std::optional<std::size_t> length() const override { return values.size(); }
  [[nodiscard]] Value at(std::size_t i) const;
  Type type;
  std::vector<double> values;
};

/// numpy.asarray() of an array or of a list or tuple of numbers; raises for others.
Array& array_of(Interpreter& python, const Value& value);

/// The sum as numpy adds: in pairs, so that the last digit is the same.
double pairwise_sum(const double* values, std::size_t size);

/// An operator with an array on one side; missing if there is none.
Value array_binary(Interpreter& python, BinaryOp op, const Value& a, const Value& b);
/// A comparison of that kind: an array of bool, or missing.
Value array_compare(Interpreter& python, Comparison::Op op, const Value& a, const Value& b);

}  // namespace tare::shims
