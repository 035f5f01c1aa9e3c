#pragma once

#include <optional>

#include "base/value.h"
#include "data/type.h"

namespace tare::data {

/// The column types that a README's dataset_info lists, as a structure. Nothing where the list says
/// something that rows of Values cannot follow (images, arrays, ...): the rows then keep the types
/// that the files have.
std::optional<Type> read_features(const base::Value& features);

}  // namespace tare::data
