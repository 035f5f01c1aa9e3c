#include "text/jinja/strings.h"

#include <utf8proc.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/number.h"
#include "base/unicode.h"
#include "text/jinja/failure.h"

namespace tare::text::jinja {
namespace {

namespace unicode = base::unicode;

utf8proc_category_t category(char32_t c) {
  return utf8proc_category(static_cast<utf8proc_int32_t>(c));
}

bool is_mark(char32_t c) {
  const auto cat = category(c);
  return cat == UTF8PROC_CATEGORY_MN || cat == UTF8PROC_CATEGORY_MC;
}

bool all_ascii(std::string_view s) {
  return std::all_of(s.begin(), s.end(), [](char c) { return static_cast<signed char>(c) >= 0; });
}

/// Strips white space, turns the digits of all scripts into ASCII, and takes away underscores that
/// stand between digits; nothing when one stands elsewhere.
std::optional<std::string> plain_number(std::string_view text) {
  text = unicode::strip(text);
  std::string out;
  bool digit_before = false;
  for (std::size_t pos = 0; pos < text.size();) {
    const char32_t c = unicode::decode(text, pos);
    if (c == '_') {
      std::size_t next = pos;
      const bool digit_after = pos < text.size() && unicode::is_alnum(unicode::decode(text, next));
      if (!digit_before || !digit_after) return std::nullopt;
      digit_before = false;
      continue;
    }
    digit_before = unicode::is_alnum(c);
    if (c >= 0x80 && is_decimal_digit(c))
      out += static_cast<char>('0' + decimal_value(c));
    else
      unicode::append(out, c);
  }
  return out;
}

/// Takes "0x" and the like away. Base 0 becomes the base that the prefix names, or 10.
bool take_prefix(std::string_view& digits, int& base) {
  const char letter =
      digits.size() > 1 && digits[0] == '0' ? static_cast<char>(digits[1] | 0x20) : '\0';
  const int named = letter == 'x' ? 16 : letter == 'o' ? 8 : letter == 'b' ? 2 : 0;
  if (named != 0 && (base == 0 || base == named)) {
    base = named;
    digits.remove_prefix(2);
    return true;
  }
  if (base != 0) return true;
  base = 10;
  // int("010", 0) is refused; int("00", 0) is not.
  return digits.size() < 2 || digits[0] != '0' || digits.find_first_not_of('0') == digits.npos;
}

}  // namespace

int digit_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  const char lower = static_cast<char>(c | 0x20);
  return lower >= 'a' && lower <= 'z' ? lower - 'a' + 10 : kNoDigit;
}

bool is_name_char(char32_t c) {
  if (c < 0x80) return unicode::is_alnum(c) || c == '_';
  return unicode::is_alnum(c) || is_mark(c) || category(c) == UTF8PROC_CATEGORY_PC || c == 0xB7;
}

bool is_identifier(std::string_view s) {
  if (s.empty()) return false;
  for (std::size_t pos = 0; pos < s.size();) {
    const bool first = pos == 0;
    const char32_t c = unicode::decode(s, pos);
    const bool letter = unicode::is_alpha(c) || c == '_' || category(c) == UTF8PROC_CATEGORY_NL;
    const bool later = is_name_char(c) && category(c) != UTF8PROC_CATEGORY_NO;
    if (first ? !letter : !(letter || later)) return false;
  }
  return true;
}

bool is_decimal_digit(char32_t c) {
  return category(c) == UTF8PROC_CATEGORY_ND;
}

bool is_numeric(char32_t c) {
  if (unicode::is_digit(c)) return true;
  const auto cat = category(c);
  if (cat == UTF8PROC_CATEGORY_NL || cat == UTF8PROC_CATEGORY_NO) return true;
  // The ideographs that Unihan gives a numeric value.
  static constexpr std::u32string_view kIdeographs =
      U"㐅㒃㠪㭍一七万三九二五亖亿什仟仨伍佰億兆兩八六十千卄卅卌叁参參叄四壱壹幺廾廿弌弍弎弐拾捌柒"
      U"漆"
      U"玖百肆萬貮貳贰阡陆陌陸零參拾兩零六陸什𠀁𠁤𠃢𠄡𠤪𠦃𠦌𠦜𠫪𠫽𠬙𢎐𢦘𣬛𦉭廾";
  return kIdeographs.find(c) != std::u32string_view::npos;
}

bool is_titlecase(char32_t c) {
  return category(c) == UTF8PROC_CATEGORY_LT;
}

int decimal_value(char32_t c) {
  if (c >= 0x1D7CE && c <= 0x1D7FF) return static_cast<int>((c - 0x1D7CE) % 10);
  int value = 0;  // the ten digits of a script follow each other
  while (value < 9 && is_decimal_digit(c - static_cast<char32_t>(value) - 1)) ++value;
  return value;
}

std::string casefold(std::string_view s) {
  std::string out;
  for (std::size_t pos = 0; pos < s.size();) {
    const char32_t c = unicode::decode(s, pos);
    utf8proc_int32_t folded[8];
    int last_boundary = 0;
    const auto count = utf8proc_decompose_char(static_cast<utf8proc_int32_t>(c), folded, 8,
                                               UTF8PROC_CASEFOLD, &last_boundary);
    for (utf8proc_ssize_t i = 0; i < count && i < 8; ++i)
      unicode::append(out, static_cast<char32_t>(folded[i]));
  }
  return out;
}

std::string swapcase(std::string_view s) {
  std::string out;
  for (std::size_t pos = 0; pos < s.size();) {
    const std::size_t start = pos;
    const char32_t c = unicode::decode(s, pos);
    const std::string_view one = s.substr(start, pos - start);
    if (unicode::is_upper(c))
      out += unicode::lower(one);
    else if (unicode::is_lower(c))
      out += unicode::upper(one);
    else
      out += one;
  }
  return out;
}

std::size_t byte_offset(std::string_view s, std::size_t index) {
  if (all_ascii(s)) return std::min(index, s.size());
  std::size_t pos = 0;
  for (; index > 0 && pos < s.size(); --index) unicode::decode(s, pos);
  return pos;
}

std::optional<std::string_view> code_point_at(std::string_view s, std::size_t index) {
  const std::size_t start = byte_offset(s, index);
  if (start >= s.size()) return std::nullopt;
  std::size_t end = start;
  unicode::decode(s, end);
  return s.substr(start, end - start);
}

std::int64_t SliceBounds::size() const {
  if (step > 0) return start < stop ? (stop - start - 1) / step + 1 : 0;
  return stop < start ? (start - stop - 1) / -step + 1 : 0;
}

SliceBounds adjust_slice(std::optional<std::int64_t> start, std::optional<std::int64_t> stop,
                         std::int64_t step, std::int64_t length) {
  step = std::max(step, -std::numeric_limits<std::int64_t>::max());
  const std::int64_t lowest = step < 0 ? -1 : 0;
  const std::int64_t highest = step < 0 ? length - 1 : length;
  auto clamp = [&](std::int64_t i) {
    if (i < 0) i += length;
    return std::clamp(i, lowest, highest);
  };
  return {start ? clamp(*start) : (step < 0 ? highest : lowest),
          stop ? clamp(*stop) : (step < 0 ? lowest : highest), step};
}

std::string slice_string(std::string_view s, const SliceBounds& bounds) {
  const std::int64_t size = bounds.size();
  if (size == 0) return "";
  if (bounds.step == 1) {
    const std::size_t begin = byte_offset(s, static_cast<std::size_t>(bounds.start));
    const std::string_view tail = s.substr(begin);
    return std::string(tail.substr(0, byte_offset(tail, static_cast<std::size_t>(size))));
  }
  const std::u32string points = unicode::to_utf32(s);
  std::string out;
  for (std::int64_t i = 0; i < size; ++i)
    unicode::append(out, points[static_cast<std::size_t>(bounds.start + i * bounds.step)]);
  return out;
}

std::optional<std::int64_t> parse_python_int(std::string_view text, int base) {
  const auto plain = plain_number(text);
  if (!plain || plain->empty()) return std::nullopt;
  std::string_view digits = *plain;
  const bool negative = digits[0] == '-';
  if (negative || digits[0] == '+') digits.remove_prefix(1);
  if (!take_prefix(digits, base) || digits.empty()) return std::nullopt;
  if (!std::all_of(digits.begin(), digits.end(), [base](char c) { return digit_value(c) < base; }))
    return std::nullopt;
  const auto value = base::read_integer((negative ? "-" : "") + std::string(digits), base);
  if (!value) fail(FailureKind::overflow, "the number in the string is an integer outside 64 bits");
  return value;
}

std::optional<double> parse_python_float(std::string_view text) {
  const auto plain = plain_number(text);
  if (!plain || plain->empty()) return std::nullopt;
  std::string_view rest = *plain;
  const double sign = rest[0] == '-' ? -1.0 : 1.0;
  if (rest[0] == '-' || rest[0] == '+') rest.remove_prefix(1);
  const std::string name = unicode::lower(rest);
  if (name == "inf" || name == "infinity") return sign * std::numeric_limits<double>::infinity();
  if (name == "nan") return std::copysign(std::numeric_limits<double>::quiet_NaN(), sign);
  if (rest.empty() || rest[0] == '-' || rest[0] == '+') return std::nullopt;
  const auto value = base::read_real(rest);
  if (!value) return std::nullopt;
  return sign * *value;
}

}  // namespace tare::text::jinja
