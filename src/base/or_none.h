#pragma once

#include <cmath>
#include <concepts>
#include <optional>
#include <string>

#include "base/value.h"

/// What may be unknown, in a document: none, which JSON writes as null, and never zero or "".
namespace tare::base {

/// None for a number that is not finite too: JSON has no word for it.
template <class T>
Value or_none(const std::optional<T>& value) {
  if (!value) return {};
  if constexpr (std::floating_point<T>) {
    if (!std::isfinite(*value)) return {};
  }
  return Value(*value);
}

inline Value or_none(const std::string& text) {
  return text.empty() ? Value() : Value(text);
}

/// An interval as [low, high].
template <class Interval>
requires requires(const Interval& interval) {
  { interval.low } -> std::convertible_to<double>;
  { interval.high } -> std::convertible_to<double>;
}
Value or_none(const std::optional<Interval>& interval) {
  if (!interval || !std::isfinite(interval->low) || !std::isfinite(interval->high)) return {};
  return List{interval->low, interval->high};
}

}  // namespace tare::base
