#include "backend/llama/stop_matcher.h"

#include <algorithm>

namespace tare::backend::llama {

StopMatcher::StopMatcher(const std::vector<std::string>& stops) {
  for (const std::string& stop : stops) {
    if (stop.empty()) continue;
    stops_.push_back(stop);
    longest_ = std::max(longest_, stop.size());
  }
}

bool StopMatcher::add(std::string_view piece) {
  if (stops_.empty()) return false;
  tail_ += piece;
  const bool found = std::ranges::any_of(
      stops_, [&](const std::string& stop) { return tail_.find(stop) != std::string::npos; });
  if (tail_.size() >= longest_) tail_.erase(0, tail_.size() - (longest_ - 1));
  return found;
}

}  // namespace tare::backend::llama
