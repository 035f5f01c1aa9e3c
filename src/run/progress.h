#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "run/execute.h"

namespace tare::run {

/// What a person wants to know while waiting. Unknown until there is something to measure.
struct Pace {
  std::optional<double> requests_per_second;
  std::optional<double> tokens_per_second;
  std::optional<double> seconds_left;
};

/// Mean rates since the start. The time left is estimated from tokens, since requests differ in
/// length.
Pace pace(const Progress& progress, double seconds_elapsed);

/// "0:07", "12:34", "1:02:03".
std::string clock_text(double seconds);

/// "[=====>    ]  240/960  25 %  83 items/s  5120 tokens/s  0:09 left", at most `width` columns.
std::string progress_line(const Progress& progress, double seconds_elapsed, std::size_t width);

}  // namespace tare::run
