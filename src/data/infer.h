#pragma once

#include <optional>
#include <string>

#include "base/value.h"
#include "data/type.h"

namespace tare::data {

/// How JSON rows get their types.
struct InferRules {
  bool timestamps = true;  ///< a column of nothing but ISO 8601 strings becomes a timestamp
  /// Objects whose keys differ from row to row stay as they are; else they become one struct, with
  /// None for what is missing.
  bool free_objects = true;
};

/// The type of rows that are all dicts: a structure with the union of their columns in order of
/// first appearance, each as Arrow's JSON reader types it. A column (or a place inside one) where
/// rows disagree in kind is json.
Type infer(const base::List& rows, InferRules rules);

/// The place ("a.b", "a[]") of the first json type in a structure.
std::optional<std::string> find_json(const Type& type);

/// Makes `type` json wherever `known` is.
void adopt_json(Type& type, const Type& known);

/// A raw row (or value) in the form that its type says: missing fields are None, integers in a real
/// column become reals, timestamps are parsed. `type` must have been inferred from it.
base::Value conform(const base::Value& value, const Type& type);

}  // namespace tare::data
