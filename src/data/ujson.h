#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/value.h"

/// What the JSON code inside pandas does to values. `datasets` sends a file through it when the
/// file is one list, and when a column mixes types; reals lose digits there, and documents must
/// lose the same ones.
namespace tare::data::ujson {

/// A finite real as pandas' ujson_dumps writes it: ten digits after the point.
std::string write(double number);

/// The double that pandas' ujson_loads makes of a number: the fraction is cut after 15 digits and
/// multiplied by a power of ten, so it is not always the nearest.
double read(std::string_view number);

/// The value that Arrow reads after ujson_loads and ujson_dumps: reals are rounded to ten digits
/// after the point, NaN is None. At any depth.
base::Value rounded(const base::Value& value);

/// A rounded value of a column of mixed types as a row gives it: text that is JSON (" 5 ", "null",
/// "[1]") becomes what it says, reals go through write and read.
base::Value decoded(const base::Value& value);

/// Reals as ujson_loads reads them out of a file, NaN as None. At any depth.
base::Value loaded(const base::Value& value);

}  // namespace tare::data::ujson
