#include "cli/unknown_name.h"

#include <fmt/format.h>

#include "base/nearest.h"

namespace tare::cli {

base::Failure unknown_name(const std::string& place, const std::string& found,
                           std::span<const std::string> names) {
  std::string text =
      fmt::format("{} {}: wanted {}", place, found.empty() ? "''" : found, base::join_or(names));
  const auto near = base::nearest_names(found, names, 1);
  if (!near.empty()) text += fmt::format("; did you mean {}?", near[0]);
  return base::usage_error(text);
}

}  // namespace tare::cli
