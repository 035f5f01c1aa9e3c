#pragma once

#include <deque>
#include <span>
#include <vector>

#include "backend/backend.h"

namespace tare::backend {

/// How backends of this program generate where a run leaves it to them: greedy, at most
/// core::GenerationSettings's own number of new tokens. A dict, for Identity.
base::Value greedy_defaults();

/// `settings` with what they leave to the backend filled in from greedy_defaults().
core::GenerationSettings with_greedy_defaults(const core::GenerationSettings& settings);

/// Items that leave nothing to the backend.
class FilledItems {
 public:
  explicit FilledItems(std::span<const GenerateItem> items);
  /// In the order of the items that were given. Valid as long as this.
  [[nodiscard]] std::span<const GenerateItem> items() const { return items_; }

 private:
  std::deque<core::GenerationSettings> settings_;
  std::vector<GenerateItem> items_;
};

}  // namespace tare::backend
