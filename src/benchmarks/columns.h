#pragma once

#include <fmt/format.h>

#include <string>

#include "base/result.h"
#include "base/value.h"

namespace tare::benchmarks {

/// The value of a column of a row or of a field of a struct.
inline base::Result<base::Value> column(const base::Value& row, std::string_view name) {
  const base::Value* value = row.find(name);
  if (value == nullptr) return base::input_error(fmt::format("no column {}", name));
  return *value;
}

inline base::Failure wrong_kind(std::string_view name, const base::Value& value,
                                std::string_view wanted) {
  return base::input_error(fmt::format("{}: found {}, wanted {}", name, value.type_name(), wanted));
}

inline base::Result<std::string> text_column(const base::Value& row, std::string_view name) {
  TARE_TRY(const base::Value value, column(row, name));
  if (!value.is_string()) return wrong_kind(name, value, "a text");
  return value.as_string();
}

inline base::Result<base::List> list_column(const base::Value& row, std::string_view name) {
  TARE_TRY(const base::Value value, column(row, name));
  if (!value.is_sequence()) return wrong_kind(name, value, "a list");
  return value.items();
}

}  // namespace tare::benchmarks
