#pragma once

#include <fmt/format.h>

#include <optional>
#include <string>

namespace tare::study {

/// What stands in a table where nothing is known.
inline constexpr const char* kNothing = "—";

/// A number with so many digits behind the point. Never "-0.000".
inline std::string digits(double value, int places) {
  std::string text = fmt::format("{:.{}f}", value, places);
  if (text.starts_with('-') && text.find_first_not_of("-0.") == std::string::npos) text.erase(0, 1);
  return text;
}

inline std::string digits(const std::optional<double>& value, int places) {
  return value ? digits(*value, places) : kNothing;
}

}  // namespace tare::study
