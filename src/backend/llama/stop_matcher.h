#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tare::backend::llama {

/// Looks for stop strings in a text that grows piece by piece. A piece may end inside a character.
class StopMatcher {
 public:
  /// Empty strings stop nothing.
  explicit StopMatcher(const std::vector<std::string>& stops);
  /// True if a stop string ends in this piece.
  bool add(std::string_view piece);

 private:
  std::vector<std::string> stops_;
  std::size_t longest_ = 0;
  std::string tail_;  ///< as much of the text as an unfinished stop string may need
};

}  // namespace tare::backend::llama
