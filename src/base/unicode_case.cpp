#include <utf8proc.h>

#include <algorithm>

#include "base/unicode.h"
#include "base/unicode_tables.h"

/// Case mappings as CPython's Objects/unicodeobject.c defines them: SpecialCasing's unconditional
/// mappings plus the final sigma, no locale.
namespace tare::base::unicode {
namespace {

constexpr char32_t kSigma = 0x3A3;
constexpr char32_t kSmallSigma = 0x3C3;
constexpr char32_t kFinalSigma = 0x3C2;
constexpr char32_t kCapitalIWithDot = 0x130;

const FullCase* full_case(char32_t c) {
  const FullCase* entry = std::lower_bound(
      std::begin(kFullCase), std::end(kFullCase), c,
      [](const FullCase& candidate, char32_t wanted) { return candidate.code_point < wanted; });
  return entry != std::end(kFullCase) && entry->code_point == c ? entry : nullptr;
}

bool is_cased(char32_t c) {
  return is_lower(c) || is_upper(c) ||
         utf8proc_category(static_cast<utf8proc_int32_t>(c)) == UTF8PROC_CATEGORY_LT;
}

bool is_case_ignorable(char32_t c) {
  switch (utf8proc_category(static_cast<utf8proc_int32_t>(c))) {
    case UTF8PROC_CATEGORY_MN:
    case UTF8PROC_CATEGORY_ME:
    case UTF8PROC_CATEGORY_CF:
    case UTF8PROC_CATEGORY_LM:
    case UTF8PROC_CATEGORY_SK:
      return !in_table(kAssignedLater, c);
    default:
      return in_table(kOtherCaseIgnorable, c);
  }
}

/// A sigma ends a word when a cased letter stands before it and none after it, both seen through
/// code points that casing ignores.
bool ends_word(std::u32string_view s, std::size_t sigma) {
  std::size_t before = sigma;
  while (before > 0 && is_case_ignorable(s[before - 1])) --before;
  if (before == 0 || !is_cased(s[before - 1])) return false;
  std::size_t after = sigma + 1;
  while (after < s.size() && is_case_ignorable(s[after])) ++after;
  return after == s.size() || !is_cased(s[after]);
}

void append_lower(std::u32string& out, std::u32string_view s, std::size_t at) {
  const char32_t c = s[at];
  if (c == kSigma)
    out += ends_word(s, at) ? kFinalSigma : kSmallSigma;
  else if (c == kCapitalIWithDot)
    out += U"i\u0307";
  else
    out += static_cast<char32_t>(utf8proc_tolower(static_cast<utf8proc_int32_t>(c)));
}

void append_upper(std::u32string& out, char32_t c) {
  if (const FullCase* entry = full_case(c))
    out += entry->upper;
  else
    out += static_cast<char32_t>(utf8proc_toupper(static_cast<utf8proc_int32_t>(c)));
}

void append_title(std::u32string& out, char32_t c) {
  const FullCase* entry = full_case(c);
  if (entry != nullptr && !entry->title.empty())
    out += entry->title;
  else
    out += static_cast<char32_t>(utf8proc_totitle(static_cast<utf8proc_int32_t>(c)));
}

bool ascii(std::string_view s) {
  return std::all_of(s.begin(), s.end(), [](char c) { return static_cast<signed char>(c) >= 0; });
}

std::string shift_ascii(std::string_view s, char first, char last, int by) {
  std::string out(s);
  for (char& c : out)
    if (c >= first && c <= last) c = static_cast<char>(c + by);
  return out;
}

}  // namespace

std::string lower(std::string_view s) {
  if (ascii(s)) return shift_ascii(s, 'A', 'Z', 'a' - 'A');
  const std::u32string wide = to_utf32(s);
  std::u32string out;
  for (std::size_t i = 0; i < wide.size(); ++i) append_lower(out, wide, i);
  return to_utf8(out);
}

std::string upper(std::string_view s) {
  if (ascii(s)) return shift_ascii(s, 'a', 'z', 'A' - 'a');
  std::u32string out;
  for (const char32_t c : to_utf32(s)) append_upper(out, c);
  return to_utf8(out);
}

std::string capitalize(std::string_view s) {
  const std::u32string wide = to_utf32(s);
  std::u32string out;
  if (!wide.empty()) append_title(out, wide.front());
  for (std::size_t i = 1; i < wide.size(); ++i) append_lower(out, wide, i);
  return to_utf8(out);
}

std::string title(std::string_view s) {
  const std::u32string wide = to_utf32(s);
  std::u32string out;
  bool inside_word = false;
  for (std::size_t i = 0; i < wide.size(); ++i) {
    if (inside_word)
      append_lower(out, wide, i);
    else
      append_title(out, wide[i]);
    inside_word = is_cased(wide[i]);
  }
  return to_utf8(out);
}

}  // namespace tare::base::unicode
