#pragma once

#include <fmt/format.h>

#include <optional>
#include <string>

#include "base/python.h"
#include "base/value.h"

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

/// A parameter as a reader wants it: servers that hold 32-bit numbers tell 0.8 as
/// 0.800000011920929.
inline std::string parameter_text(const base::Value& value) {
  if (!value.is_real()) return base::python::str(value);
  const std::string text = fmt::format("{:.6g}", value.as_number());
  return text.find_first_not_of("-0123456789") == std::string::npos ? text + ".0" : text;
}

}  // namespace tare::study
