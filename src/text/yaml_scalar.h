#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "base/value.h"

/// What a YAML 1.1 scalar means to PyYAML (its resolver.py and SafeConstructor).
namespace tare::text::yaml {

enum class ScalarType { null, boolean, integer, real, timestamp, string };

/// The type that the form of an untagged plain scalar gives it.
ScalarType implicit_type(std::string_view text);

/// The value of a scalar of a type, be it implicit or named by a tag. The error text says what was
/// found, without a place. A date without a time stays a string: Value has no dates. A timestamp
/// with a zone is turned into UTC.
base::Result<base::Value> construct(ScalarType type, std::string_view text);

}  // namespace tare::text::yaml
