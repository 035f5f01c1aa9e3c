#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/value.h"

namespace tare::data {

/// The ISO 8601 forms that Arrow's JSON reader takes for a timestamp in seconds: YYYY-MM-DD, then
/// 'T' or a space and hh, hh:mm or hh:mm:ss, then Z, ±hh, ±hhmm or ±hh:mm (turned into UTC). No
/// fractions of a second.
std::optional<base::DateTime> read_timestamp(std::string_view text);

/// The same with up to six digits after the seconds, as pandas reads a column of dates; no zone.
std::optional<base::DateTime> read_fine_timestamp(std::string_view text);

/// "2020-01-02 03:04:05": Arrow's cast of a timestamp in seconds to a string.
std::string write_timestamp(base::DateTime time);

/// "2020-01-02" of a number of days since 1970-01-01.
std::string write_date(std::int64_t days);

}  // namespace tare::data
