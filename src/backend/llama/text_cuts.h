#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

struct llama_model;

namespace tare::backend::llama {

/// An ASCII letter or digit.
bool is_word(char c);

/// Where a text may be cut so that the tokens of its parts, one behind the other, are the tokens of
/// the whole: between an ASCII letter or digit and a space or line feed, where that is proved for
/// the vocabulary's kind (docs/design/planning.md).
struct TextCuts {
  bool at_space = false;
  bool at_line_feed = false;
  /// Special tokens that may cover or end at such a place; where one of them stands there is no
  /// cut.
  std::vector<std::string> spanning = {};

  [[nodiscard]] bool allows(std::string_view text, std::size_t place) const;
  /// The last place in [1, limit] that is allowed, 0 if there is none.
  [[nodiscard]] std::size_t last(std::string_view text, std::size_t limit) const;
};

/// Of a model's vocabulary; nowhere for kinds of which it is not known.
TextCuts text_cuts(const llama_model& model);

}  // namespace tare::backend::llama
