#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tare::base {

/// Levenshtein distance in bytes.
std::size_t edit_distance(std::string_view a, std::string_view b);

/// The candidates nearest to `name`, best first (ties in the given order). Those further away than
/// a third of the name's length (but at least 2), or without a letter in its place, are left out.
std::vector<std::string> nearest_names(std::string_view name,
                                       std::span<const std::string> candidates,
                                       std::size_t most = 3);

/// "a", "a or b", "a, b or c", for "did you mean ...?".
std::string join_or(std::span<const std::string> names);

}  // namespace tare::base
