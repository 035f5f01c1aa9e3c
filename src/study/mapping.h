#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "base/value.h"

namespace tare::study {

/// A mapping in a file that people write, read strictly: every key has to be known, every value has
/// to be of its kind. Errors begin with the place.
class Mapping {
 public:
  /// Error: no mapping, or a key that is none of `known`, with the nearest one.
  static base::Result<Mapping> read(const base::Value& value, std::string place,
                                    std::span<const std::string_view> known);

  [[nodiscard]] bool has(std::string_view key) const;
  /// None where there is no such key.
  [[nodiscard]] const base::Value& at(std::string_view key) const;
  /// "" where there is no such key.
  [[nodiscard]] base::Result<std::string> text(std::string_view key) const;
  /// A text alone is a list of one; empty where there is no such key.
  [[nodiscard]] base::Result<std::vector<std::string>> texts(std::string_view key) const;
  /// At least `least`.
  [[nodiscard]] base::Result<std::optional<std::int64_t>> count(std::string_view key,
                                                                std::int64_t least) const;
  /// Above 0 and below 1.
  [[nodiscard]] base::Result<std::optional<double>> share(std::string_view key) const;

  [[nodiscard]] std::string place(std::string_view key) const;

 private:
  Mapping(base::Value value, std::string place)
      : value_(std::move(value)), place_(std::move(place)) {}
  [[nodiscard]] base::Failure wrong(std::string_view key, std::string_view wanted) const;

  base::Value value_;
  std::string place_;
};

/// As a message names it: Python's repr, "nothing" for none.
std::string shown(const base::Value& value);

/// A text, number or truth value as it is written; nothing for lists and mappings.
std::optional<std::string> scalar_text(const base::Value& value);

}  // namespace tare::study
