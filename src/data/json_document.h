#pragma once

#include <vector>

#include "base/result.h"
#include "data/type.h"

namespace tare::data {

/// The rows of a parsed JSON value as pandas' read_json types them, which `datasets` uses for a
/// field of an object and for a list that does not begin with the first byte. Other than in lines:
/// ISO strings stay strings unless the column has a name of pandas' list of dates ("date",
/// "modified", "timestamp...", "..._at", "..._time"), a column of whole reals becomes integers, and
/// mixed types are an error. The value is a list of objects, a list of scalars (column "text"), or
/// an object of equally long lists.
base::Result<std::vector<Batch>> read_json_document(const base::Value& root);

}  // namespace tare::data
