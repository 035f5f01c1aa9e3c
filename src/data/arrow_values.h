#pragma once

#include <optional>

#include "base/result.h"
#include "data/type.h"

namespace arrow {
class Array;
class DataType;
}  // namespace arrow

namespace tare::data {

/// The type of a column's values; nothing for Arrow types that no Value can hold.
std::optional<Type> type_of_arrow(const arrow::DataType& type);

/// An array of such a type, element by element. The only error is an integer beyond 64 signed bits.
base::Result<base::List> values_of_arrow(const arrow::Array& array);

}  // namespace tare::data
