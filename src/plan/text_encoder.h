#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/tokenizer.h"

namespace tare::plan {

/// Tokens of one text after another. Texts that begin like the one before them are tokenised from
/// the last place on where that is exact (core::Tokenizer::last_cut): a few-shot block once, not
/// with each question.
class TextEncoder {
 public:
  /// `tokenizer` outlives this.
  explicit TextEncoder(const core::Tokenizer& tokenizer) : tokenizer_(tokenizer) {}
  /// The same as tokenizer.encode(text, specials). Valid until the next call.
  const std::vector<core::Token>& encode(std::string_view text, bool specials);

 private:
  /// text_[0, bytes) has the first `tokens` of tokens_, and may be cut there.
  struct Mark {
    std::size_t bytes = 0, tokens = 0;
  };
  /// Drops what `text` does not share with the last text; gives the number of bytes they share.
  std::size_t keep_shared(std::string_view text, bool specials);
  /// Adds the tokens up to `end`, a cut or the end of the text.
  void extend(std::size_t end);
  /// The tokens of text_[begin, end).
  const std::vector<core::Token>& piece(std::size_t begin, std::size_t end);

  const core::Tokenizer& tokenizer_;
  std::string text_;
  bool specials_ = false;
  std::vector<core::Token> tokens_;
  std::vector<Mark> marks_;  ///< by position
  std::vector<core::Token> piece_;
  std::unordered_map<std::string, std::vector<core::Token>> known_;  ///< pieces, by their text
};

}  // namespace tare::plan
