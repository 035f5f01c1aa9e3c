#pragma once

#include <cstdlib>

#include "data/type.h"

namespace tare::data {

inline bool fits(const base::Value& value, const Type& type);

inline bool fields_fit(const base::Dict& dict, const Type& type) {
  if (dict.size() != type.fields.size()) return false;
  std::size_t i = 0;
  for (const auto& [key, item] : dict) {
    const Field& field = type.fields[i++];
    if (key != field.name || !fits(item, field.type)) return false;
  }
  return true;
}

/// Whether a value is what its type says: none anywhere, else the kind, every field in order.
inline bool fits(const base::Value& value, const Type& type) {
  using Kind = Type::Kind;
  if (value.is_none() || type.kind == Kind::json) return true;
  switch (type.kind) {
    case Kind::boolean:
      return value.is_bool();
    case Kind::integer:
      return value.is_int();
    case Kind::real:
      return value.is_real();
    case Kind::timestamp:
      return value.is_datetime();
    case Kind::string:
      return value.is_string();
    case Kind::structure:
      return value.is_dict() && fields_fit(value.as_dict(), type);
    case Kind::list:
      if (!value.is_list()) return false;
      for (const base::Value& item : value.items())
        if (!fits(item, type.item())) return false;
      return true;
    default:
      return false;
  }
}

/// Ends the program where a row is not what the schema says.
inline void demand_fit(const std::vector<Batch>& batches) {
  for (const Batch& batch : batches)
    for (const base::Value& row : batch.rows)
      if (!fits(row, batch.schema)) std::abort();
}

}  // namespace tare::data
