#include "base/unicode.h"

#include <utf8proc.h>

#include <algorithm>

#include "base/unicode_tables.h"

namespace tare::base::unicode {
namespace {

constexpr char32_t kReplacement = 0xFFFD;

bool ascii(std::string_view s) {
  return std::all_of(s.begin(), s.end(), [](char c) { return static_cast<signed char>(c) >= 0; });
}

utf8proc_category_t category(char32_t c) {
  if (c > 0x10FFFF || in_table(kAssignedLater, c)) return UTF8PROC_CATEGORY_CN;
  return utf8proc_category(static_cast<utf8proc_int32_t>(c));
}

bool within(utf8proc_category_t value, utf8proc_category_t first, utf8proc_category_t last) {
  return first <= value && value <= last;
}

/// Decodes strictly: the length of the sequence at `pos`, or 0.
std::size_t sequence(std::string_view s, std::size_t pos, char32_t& c) {
  utf8proc_int32_t decoded = -1;
  const auto length = utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(s.data() + pos),
                                       static_cast<utf8proc_ssize_t>(s.size() - pos), &decoded);
  if (length <= 0) return 0;
  c = static_cast<char32_t>(decoded);
  return static_cast<std::size_t>(length);
}

/// Where the last code point of `s` (not empty) starts.
std::size_t last_start(std::string_view s) {
  for (std::size_t back = 1; back <= std::min<std::size_t>(4, s.size()); ++back) {
    char32_t c = 0;
    if (sequence(s, s.size() - back, c) == back) return s.size() - back;
  }
  return s.size() - 1;
}

template <class Predicate>
std::string_view strip_left(std::string_view s, Predicate drop) {
  std::size_t pos = 0;
  while (pos < s.size()) {
    std::size_t next = pos;
    if (!drop(decode(s, next))) break;
    pos = next;
  }
  return s.substr(pos);
}

template <class Predicate>
std::string_view strip_right(std::string_view s, Predicate drop) {
  while (!s.empty()) {
    const std::size_t start = last_start(s);
    std::size_t pos = start;
    if (!drop(decode(s, pos))) break;
    s = s.substr(0, start);
  }
  return s;
}

auto one_of(const std::u32string& set) {
  return [&set](char32_t c) { return set.find(c) != std::u32string::npos; };
}

}  // namespace

char32_t decode(std::string_view s, std::size_t& pos) {
  const auto lead = static_cast<unsigned char>(s[pos]);
  char32_t c = lead;
  if (lead < 0x80) {
    ++pos;
    return c;
  }
  const std::size_t length = sequence(s, pos, c);
  pos += std::max<std::size_t>(length, 1);
  return length == 0 ? kReplacement : c;
}

void append(std::string& out, char32_t code_point) {
  const bool encodable = utf8proc_codepoint_valid(static_cast<utf8proc_int32_t>(code_point));
  utf8proc_uint8_t bytes[4];
  const auto length = utf8proc_encode_char(
      static_cast<utf8proc_int32_t>(encodable ? code_point : kReplacement), bytes);
  out.append(reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(length));
}

std::u32string to_utf32(std::string_view s) {
  std::u32string out;
  out.reserve(s.size());
  for (std::size_t pos = 0; pos < s.size();) out.push_back(decode(s, pos));
  return out;
}

std::string to_utf8(std::u32string_view s) {
  std::string out;
  out.reserve(s.size());
  for (const char32_t c : s) append(out, c);
  return out;
}

std::size_t find_invalid(std::string_view s) {
  for (std::size_t pos = 0; pos < s.size();) {
    if (static_cast<signed char>(s[pos]) >= 0) {
      ++pos;
      continue;
    }
    char32_t c = 0;
    const std::size_t length = sequence(s, pos, c);
    if (length == 0) return pos;
    pos += length;
  }
  return std::string_view::npos;
}

bool valid(std::string_view s) {
  return find_invalid(s) == std::string_view::npos;
}

std::size_t length(std::string_view s) {
  if (ascii(s)) return s.size();
  std::size_t count = 0;
  for (std::size_t pos = 0; pos < s.size(); ++count) decode(s, pos);
  return count;
}

bool is_space(char32_t c) {
  if (c < 0x80) return c == 0x20 || (c >= 0x09 && c <= 0x0D) || (c >= 0x1C && c <= 0x1F);
  return c == 0x85 || within(category(c), UTF8PROC_CATEGORY_ZS, UTF8PROC_CATEGORY_ZP);
}

bool is_digit(char32_t c) {
  if (c < 0x80) return c >= '0' && c <= '9';
  return category(c) == UTF8PROC_CATEGORY_ND || in_table(kDigitNotDecimal, c);
}

bool is_printable(char32_t c) {
  if (c < 0x7F) return c >= 0x20;
  const auto cat = category(c);
  return within(cat, UTF8PROC_CATEGORY_LU, UTF8PROC_CATEGORY_SO);
}

bool is_alpha(char32_t c) {
  return within(category(c), UTF8PROC_CATEGORY_LU, UTF8PROC_CATEGORY_LO);
}

bool is_alnum(char32_t c) {
  return is_alpha(c) || within(category(c), UTF8PROC_CATEGORY_ND, UTF8PROC_CATEGORY_NO);
}

bool is_upper(char32_t c) {
  return category(c) == UTF8PROC_CATEGORY_LU || in_table(kOtherUppercase, c);
}

bool is_lower(char32_t c) {
  return category(c) == UTF8PROC_CATEGORY_LL || in_table(kOtherLowercase, c);
}

bool is_punctuation(char32_t c) {
  return within(category(c), UTF8PROC_CATEGORY_PC, UTF8PROC_CATEGORY_PO);
}

bool is_number(char32_t c) {
  return within(category(c), UTF8PROC_CATEGORY_ND, UTF8PROC_CATEGORY_NO);
}

bool is_symbol(char32_t c) {
  return within(category(c), UTF8PROC_CATEGORY_SM, UTF8PROC_CATEGORY_SO);
}

bool is_digit(std::string_view s) {
  if (s.empty()) return false;
  for (std::size_t pos = 0; pos < s.size();)
    if (!is_digit(decode(s, pos))) return false;
  return true;
}

std::string_view lstrip(std::string_view s) {
  return strip_left(s, [](char32_t c) { return is_space(c); });
}

std::string_view rstrip(std::string_view s) {
  return strip_right(s, [](char32_t c) { return is_space(c); });
}

std::string_view strip(std::string_view s) {
  return lstrip(rstrip(s));
}

std::string_view lstrip(std::string_view s, std::string_view chars) {
  const std::u32string set = to_utf32(chars);
  return strip_left(s, one_of(set));
}

std::string_view rstrip(std::string_view s, std::string_view chars) {
  const std::u32string set = to_utf32(chars);
  return strip_right(s, one_of(set));
}

std::string_view strip(std::string_view s, std::string_view chars) {
  return lstrip(rstrip(s, chars), chars);
}

}  // namespace tare::base::unicode
