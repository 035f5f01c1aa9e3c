#include "text/regex/char_class.h"

#include <fmt/format.h>

#include <array>
#include <string_view>

namespace tare::text::regex {
namespace {

// str.isspace, and what it leaves out; likewise in ASCII.
constexpr std::string_view kSpace =
    R"(\x{9}-\x{d}\x{1c}-\x{20}\x{85}\x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000})";
constexpr std::string_view kNotSpace =
    R"(\x{0}-\x{8}\x{e}-\x{1b}\x{21}-\x{84}\x{86}-\x{9f}\x{a1}-\x{167f}\x{1681}-\x{1fff}\x{200b}-\x{2027}\x{202a}-\x{202e}\x{2030}-\x{205e}\x{2060}-\x{2fff}\x{3001}-\x{10ffff})";
constexpr std::string_view kAsciiSpace = R"(\x{9}-\x{d}\x{20})";
constexpr std::string_view kAsciiNotSpace = R"(\x{0}-\x{8}\x{e}-\x{1f}\x{21}-\x{10ffff})";
constexpr std::string_view kWord = R"(\p{L}\p{N}_)";
constexpr std::string_view kAsciiWord = "0-9A-Z_a-z";
constexpr std::string_view kAsciiNotWord =
    R"(\x{0}-\x{2f}\x{3a}-\x{40}\x{5b}-\x{5e}\x{60}\x{7b}-\x{10ffff})";

/// Members of a PCRE2 class for a category; "" for \W, which has none.
std::string_view category_members(char32_t letter, bool ascii) {
  switch (letter) {
    case 'd':
      return ascii ? "0-9" : R"(\p{Nd})";
    case 'D':
      return ascii ? R"(\x{0}-\x{2f}\x{3a}-\x{10ffff})" : R"(\P{Nd})";
    case 's':
      return ascii ? kAsciiSpace : kSpace;
    case 'S':
      return ascii ? kAsciiNotSpace : kNotSpace;
    case 'w':
      return ascii ? kAsciiWord : kWord;
    default:
      return ascii ? kAsciiNotWord : "";
  }
}

/// Code points that Python takes for the same, and PCRE2 does not.
constexpr std::array<std::u32string_view, 4> kCaseTwins = {U"iI\u0130\u0131", U"\u0390\u1FD3",
                                                           U"\u03B0\u1FE3", U"\uFB05\uFB06"};

}  // namespace

void append_literal(std::string& out, char32_t c) {
  if (c < 0x80 && (is_digit(c) || is_letter(c)))
    out += static_cast<char>(c);
  else if (c > 0x20 && c < 0x7F)
    (out += '\\') += static_cast<char>(c);
  else
    out += fmt::format("\\x{{{:x}}}", static_cast<std::uint32_t>(c));
}

bool is_category(char32_t letter) {
  return std::u32string_view(U"dDsSwW").find(letter) != std::u32string_view::npos;
}

void CharClass::add(char32_t first, char32_t last) {
  append_literal(members_, first);
  if (last != first) append_literal(members_ += '-', last);
  if (ignore_case_ && !ascii_) add_case_twins(first, last);
}

void CharClass::add_case_twins(char32_t first, char32_t last) {
  for (const std::u32string_view twins : kCaseTwins)
    for (const char32_t twin : twins)
      if (twin >= first && twin <= last) {
        for (const char32_t other : twins) append_literal(members_, other);
        break;
      }
}

void CharClass::add_category(char32_t letter) {
  const std::string_view members = category_members(letter, ascii_);
  members_ += members;
  not_word_ = not_word_ || members.empty();
}

std::string CharClass::text(bool negated) const {
  if (!not_word_) return fmt::format("[{}{}]", negated ? "^" : "", members_);
  if (members_.empty()) return fmt::format("[{}{}]", negated ? "" : "^", kWord);
  const std::string any = fmt::format("[^{}]|[{}]", kWord, members_);
  return negated ? fmt::format("(?:(?!{})(?s:.))", any) : fmt::format("(?:{})", any);
}

std::string literal_text(char32_t c, bool ignore_case) {
  std::string out;
  for (const std::u32string_view twins : kCaseTwins)
    if (ignore_case && twins.find(c) != std::u32string_view::npos) {
      CharClass set(true, false);
      set.add(c, c);
      return set.text(false);
    }
  append_literal(out, c);
  return out;
}

std::string category_text(char32_t letter, bool ascii) {
  CharClass set(false, ascii);
  set.add_category(letter);
  return set.text(false);
}

std::string boundary_text(bool negated, bool ascii) {
  const std::string_view word = ascii ? kAsciiWord : kWord;
  // In an empty text CPython finds neither \b nor \B.
  if (negated) return fmt::format("(?:(?<=[{0}])(?=[{0}])|(?<![{0}])(?![{0}])(?!\\A\\z))", word);
  return fmt::format("(?:(?<=[{0}])(?![{0}])|(?<![{0}])(?=[{0}]))", word);
}

}  // namespace tare::text::regex
