#include "text/jinja/wordwrap.h"

#include <algorithm>

#include "base/unicode.h"

namespace tare::text::jinja {
namespace {

namespace unicode = base::unicode;
using Chunks = std::vector<std::u32string>;

bool is_space(char32_t c) {
  return (c >= 0x09 && c <= 0x0D) || c == ' ';
}

bool is_word(char32_t c) {
  return unicode::is_alnum(c) || c == '_';
}

/// A word character that is no digit.
bool is_letter(char32_t c) {
  return is_word(c) && !unicode::is_digit(c);
}

bool is_word_or_mark(char32_t c) {
  return is_word(c) || std::u32string_view(U"!\"'&.,?").find(c) != std::u32string_view::npos;
}

/// Cuts a paragraph into pieces between which a line may end: runs of white space, words, parts of
/// hyphenated words, dashes.
class Splitter {
 public:
  Splitter(std::u32string_view text, bool on_hyphens) : text_(text), on_hyphens_(on_hyphens) {}

  Chunks run() {
    Chunks chunks;
    for (std::size_t pos = 0; pos < text_.size();) {
      const std::size_t end = chunk_end(pos);
      chunks.emplace_back(text_.substr(pos, end - pos));
      pos = end;
    }
    return chunks;
  }

 private:
  [[nodiscard]] char32_t at(std::size_t i) const { return i < text_.size() ? text_[i] : U'\0'; }
  [[nodiscard]] bool letter_at(std::size_t i) const { return i < text_.size() && is_letter(at(i)); }

  [[nodiscard]] std::size_t chunk_end(std::size_t pos) const {
    std::size_t end = pos + 1;
    if (is_space(at(pos))) {
      while (end < text_.size() && is_space(at(end))) ++end;
      return end;
    }
    if (on_hyphens_ && pos > 0 && is_word_or_mark(at(pos - 1)))
      if (const std::size_t dashes = dash_run(pos); dashes != 0) return pos + dashes;
    for (; end < text_.size() && !is_space(at(end)); ++end) {
      if (!on_hyphens_) continue;
      if (hyphen_ends_part(end)) return end + 1;
      if (is_word_or_mark(at(end - 1)) && dash_run(end) != 0) return end;
    }
    return end;
  }

  /// The length of a run of two or more hyphens before a word character at `pos`, or 0.
  [[nodiscard]] std::size_t dash_run(std::size_t pos) const {
    std::size_t end = pos;
    while (at(end) == '-') ++end;
    return end - pos >= 2 && end < text_.size() && is_word(at(end)) ? end - pos : 0;
  }

  /// A hyphen after two letters (or letter, hyphen, mark) and before two.
  [[nodiscard]] bool hyphen_ends_part(std::size_t pos) const {
    if (at(pos) != '-') return false;
    const bool two_letters = pos >= 2 && letter_at(pos - 2) && letter_at(pos - 1);
    const bool after_hyphen =
        pos >= 3 && letter_at(pos - 3) && at(pos - 2) == '-' && is_word_or_mark(at(pos - 1));
    const bool letters_follow =
        letter_at(pos + 1) && (letter_at(pos + 2) || (at(pos + 2) == '-' && letter_at(pos + 3)));
    return (two_letters || after_hyphen) && letters_follow;
  }

  std::u32string_view text_;
  bool on_hyphens_;
};

bool is_blank(std::u32string_view chunk) {
  return std::all_of(chunk.begin(), chunk.end(), unicode::is_space);
}

/// How much of a chunk that is longer than a line goes on this line, of which `space` is left.
std::size_t cut(std::u32string_view chunk, std::size_t space, const WrapRules& rules) {
  if (!rules.break_on_hyphens || chunk.size() <= space || space == 0) return space;
  const std::size_t hyphen = chunk.substr(0, space).rfind(U'-');
  if (hyphen == std::u32string_view::npos || hyphen == 0) return space;
  const bool only_hyphens = chunk.substr(0, hyphen).find_first_not_of(U'-') == chunk.npos;
  return only_hyphens ? space : hyphen + 1;
}

class Wrapper {
 public:
  Wrapper(Chunks chunks, const WrapRules& rules) : chunks_(std::move(chunks)), rules_(rules) {
    std::reverse(chunks_.begin(), chunks_.end());
  }

  std::vector<std::string> run() {
    std::vector<std::string> lines;
    while (!chunks_.empty()) {
      if (is_blank(chunks_.back()) && !lines.empty()) chunks_.pop_back();
      const Chunks line = next_line();
      std::u32string text;
      for (const std::u32string& chunk : line) text += chunk;
      if (!line.empty()) lines.push_back(unicode::to_utf8(text));
    }
    return lines;
  }

 private:
  Chunks next_line() {
    Chunks line;
    std::size_t length = 0;
    while (!chunks_.empty() && length + chunks_.back().size() <= rules_.width) {
      length += chunks_.back().size();
      take(line);
    }
    if (!chunks_.empty() && chunks_.back().size() > rules_.width) long_word(line, length);
    if (!line.empty() && is_blank(line.back())) line.pop_back();
    return line;
  }

  void take(Chunks& line) {
    line.push_back(std::move(chunks_.back()));
    chunks_.pop_back();
  }

  void long_word(Chunks& line, std::size_t length) {
    if (!rules_.break_long_words) {
      if (line.empty()) take(line);
      return;
    }
    const std::size_t end = cut(chunks_.back(), rules_.width - length, rules_);
    line.push_back(chunks_.back().substr(0, end));
    chunks_.back().erase(0, end);
  }

  Chunks chunks_;  ///< the next one last
  const WrapRules& rules_;
};

}  // namespace

std::vector<std::string> wrap_paragraph(std::string_view text, const WrapRules& rules) {
  const std::u32string points = unicode::to_utf32(text);
  return Wrapper(Splitter(points, rules.break_on_hyphens).run(), rules).run();
}

}  // namespace tare::text::jinja
