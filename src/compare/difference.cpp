#include "compare/difference.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace tare::compare {

std::string_view mismatch_name(Mismatch mismatch) {
  return kMismatchNames[static_cast<std::size_t>(mismatch)];
}

std::optional<Mismatch> mismatch_named(std::string_view name) {
  const auto* found = std::ranges::find(kMismatchNames, name);
  if (found == kMismatchNames.end()) return std::nullopt;
  return static_cast<Mismatch>(found - kMismatchNames.begin());
}

std::string line_of(const Difference& difference) {
  std::string line = fmt::format("{}: {}", difference.task, difference.text);
  if (!difference.causes.empty()) line += fmt::format(" ({})", fmt::join(difference.causes, "; "));
  return line;
}

std::vector<Mismatch> kinds_of(const std::vector<Difference>& differences) {
  std::vector<Mismatch> kinds;
  for (std::size_t i = 0; i < kMismatchNames.size(); ++i)
    if (std::ranges::count(differences, static_cast<Mismatch>(i), &Difference::mismatch) > 0)
      kinds.push_back(static_cast<Mismatch>(i));
  return kinds;
}

}  // namespace tare::compare
