#include "study/parity_difference.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/python.h"
#include "base/unicode.h"

namespace tare::study {
namespace {

using core::Token;

/// What is shown before and behind the place.
constexpr std::size_t kTokensBefore = 3, kTokensBehind = 5;
constexpr std::size_t kLettersBefore = 20, kLettersBehind = 30;

std::string token_text(const Side& side, const Token& token) {
  if (!side.decode) return fmt::format("{}", token);
  return fmt::format("{} {}", token, base::python::repr(side.decode({&token, 1})));
}

/// "12 'a' 40 ' b' | 7 ' c'", where the bar is the place.
std::string around(const Side& side, std::span<const Token> tokens, std::size_t place) {
  const std::size_t begin = place - std::min(place, kTokensBefore);
  const std::size_t end = std::min(tokens.size(), place + kTokensBehind);
  std::string text = begin > 0 ? "..." : "";
  const auto add = [&](const std::string& word) { text += (text.empty() ? "" : " ") + word; };
  for (std::size_t i = begin; i < end; ++i) {
    if (i == place) add("|");
    add(token_text(side, tokens[i]));
  }
  if (place >= tokens.size()) add("| (end)");
  if (end < tokens.size()) add("...");
  return text;
}

/// "'...before' | 'behind...'".
std::string around(const std::u32string& letters, std::size_t place) {
  const std::size_t begin = place - std::min(place, kLettersBefore);
  const std::size_t end = std::min(letters.size(), place + kLettersBehind);
  const auto part = [&](std::size_t from, std::size_t to) {
    return base::python::repr(
        base::unicode::to_utf8(std::u32string_view(letters).substr(from, to - from)));
  };
  return fmt::format("{}{} | {}{}", begin > 0 ? "..." : "", part(begin, place),
                     place == letters.size() ? "(end)" : part(place, end),
                     end < letters.size() ? "..." : "");
}

template <class Range>
std::size_t parting(const Range& a, const Range& b) {
  return static_cast<std::size_t>(std::ranges::mismatch(a, b).in1 - a.begin());
}

}  // namespace

Difference first_difference(const Asked& left, const Asked& right) {
  Difference difference;
  difference.key = left.prompt.key;
  const auto& l = left.prompt.tokens;
  const auto& r = right.prompt.tokens;
  // Numbers without their text tell less than the text does.
  const bool telling = left.side.decode || left.prompt.text == right.prompt.text;
  difference.in_tokens = l && r && *l != *r && telling;
  if (difference.in_tokens) {
    difference.position = parting(*l, *r);
    difference.left = around(left.side, *l, difference.position);
    difference.right = around(right.side, *r, difference.position);
    return difference;
  }
  const std::u32string mine = base::unicode::to_utf32(left.prompt.text);
  const std::u32string theirs = base::unicode::to_utf32(right.prompt.text);
  difference.position = parting(mine, theirs);
  difference.left = around(mine, difference.position);
  difference.right = around(theirs, difference.position);
  return difference;
}

}  // namespace tare::study
