#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/unicode.h"
#include "text/jinja/methods.h"
#include "text/jinja/string_result.h"
#include "text/jinja/strings.h"

/// Methods of str that change or ask for the kind of characters, or pad and trim.
namespace tare::text::jinja {
namespace {

namespace unicode = base::unicode;

template <std::string (*Map)(std::string_view)>
Value mapped(Call& call) {
  return like_self(call, Map(self_text(call)));
}

/// Not empty, and all code points satisfy the predicate.
template <bool (*Is)(char32_t)>
Value all_are(Call& call) {
  const std::string& text = self_text(call);
  for (std::size_t pos = 0; pos < text.size();)
    if (!Is(unicode::decode(text, pos))) return false;
  return !text.empty();
}

/// Of the letters that have a case, at least one, and all of them this one.
template <bool (*Is)(char32_t), bool (*IsOther)(char32_t)>
Value all_cased(Call& call) {
  const std::string& text = self_text(call);
  bool found = false;
  for (std::size_t pos = 0; pos < text.size();) {
    const char32_t c = unicode::decode(text, pos);
    if (IsOther(c) || is_titlecase(c)) return false;
    found = found || Is(c);
  }
  return found;
}

/// Upper and title case only after uncased characters, lower case only after cased ones.
Value is_title(Call& call) {
  const std::string& text = self_text(call);
  bool found = false, after_cased = false;
  for (std::size_t pos = 0; pos < text.size();) {
    const char32_t c = unicode::decode(text, pos);
    const bool capital = unicode::is_upper(c) || is_titlecase(c);
    const bool small = !capital && unicode::is_lower(c);
    if (capital ? after_cased : (small && !after_cased)) return false;
    after_cased = capital || small;
    found = found || after_cased;
  }
  return found;
}

Value is_ascii(Call& call) {
  const std::string& text = self_text(call);
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return static_cast<signed char>(c) >= 0; });
}

Value is_printable(Call& call) {
  const std::string& text = self_text(call);
  for (std::size_t pos = 0; pos < text.size();)
    if (!unicode::is_printable(unicode::decode(text, pos))) return false;
  return true;
}

Value is_identifier(Call& call) {
  return jinja::is_identifier(self_text(call));
}

// Trimming.

using Strip = std::string_view (*)(std::string_view);
using StripSet = std::string_view (*)(std::string_view, std::string_view);

template <Strip Spaces, StripSet Set>
Value stripped(Call& call) {
  const std::string& text = self_text(call);
  if (call.value(0).is_none()) return part_of_self(call, Spaces(text));
  if (!call.args[0].is_string()) type_error(fmt::format("{} arg must be None or str", call.name));
  call.heap.step(text.size());
  return part_of_self(call, Set(text, call.args[0].str()));
}

Value remove_prefix(Call& call) {
  std::string_view text = self_text(call);
  const std::string& prefix = call.string(0);
  if (text.starts_with(prefix)) text.remove_prefix(prefix.size());
  return part_of_self(call, text);
}

Value remove_suffix(Call& call) {
  std::string_view text = self_text(call);
  const std::string& suffix = call.string(0);
  if (text.ends_with(suffix)) text.remove_suffix(suffix.size());
  return part_of_self(call, text);
}

// Padding.

std::string repeated(Call& call, std::string_view fill, std::int64_t count) {
  if (count > static_cast<std::int64_t>(call.heap.options().max_memory_bytes / 4))
    call.heap.charge(call.heap.options().max_memory_bytes + 1);
  std::string out;
  for (std::int64_t i = 0; i < count; ++i) out += fill;
  call.heap.charge(out.size());
  return out;
}

/// How many fill characters are missing to the width of the first argument.
std::int64_t missing_width(Call& call) {
  const auto length = static_cast<std::int64_t>(unicode::length(self_text(call)));
  return std::max<std::int64_t>(call.integer(0, 0) - length, 0);
}

std::string fill_of(Call& call) {
  if (!call.has(1)) return " ";
  const Value& fill = call.args[1];
  if (!fill.is_string() || unicode::length(fill.str()) != 1)
    type_error("The fill character must be exactly one character long");
  return inserted(call, fill);
}

Value ljust(Call& call) {
  const std::int64_t width = missing_width(call);
  return like_self(call, self_text(call) + repeated(call, fill_of(call), width));
}

Value rjust(Call& call) {
  const std::int64_t width = missing_width(call);
  return like_self(call, repeated(call, fill_of(call), width) + self_text(call));
}

Value center(Call& call) {
  const std::int64_t width = missing_width(call);
  const std::string fill = fill_of(call);
  // Where the space is odd, CPython puts the odd one left only if the width is odd too.
  const std::int64_t left = width / 2 + (width & call.integer(0, 0) & 1);
  return like_self(
      call, repeated(call, fill, left) + self_text(call) + repeated(call, fill, width - left));
}

Value zfill(Call& call) {
  std::string text = self_text(call);
  const bool sign = !text.empty() && (text[0] == '+' || text[0] == '-');
  text.insert(sign ? 1 : 0, repeated(call, "0", missing_width(call)));
  return like_self(call, std::move(text));
}

Value expandtabs(Call& call) {
  const std::int64_t size = call.integer(0, 8);
  const std::string& text = self_text(call);
  std::string out;
  std::int64_t column = 0;
  for (std::size_t pos = 0; pos < text.size();) {
    const std::size_t start = pos;
    const char32_t c = unicode::decode(text, pos);
    if (c == '\t') {
      const std::int64_t spaces = size > 0 ? size - column % size : 0;
      out += repeated(call, " ", spaces);
      column += spaces;
      continue;
    }
    out.append(text, start, pos - start);
    column = c == '\n' || c == '\r' ? 0 : column + 1;
  }
  return like_self(call, std::move(out));
}

constexpr unsigned kPositional = Builtin::positional_only;

constexpr std::array<Builtin, 30> kMethods = {{
    {"lower", mapped<unicode::lower>},
    {"upper", mapped<unicode::upper>},
    {"capitalize", mapped<unicode::capitalize>},
    {"title", mapped<unicode::title>},
    {"swapcase", mapped<swapcase>},
    {"casefold", mapped<casefold>},
    {"isdigit", all_are<unicode::is_digit>},
    {"isalpha", all_are<unicode::is_alpha>},
    {"isalnum", all_are<unicode::is_alnum>},
    {"isspace", all_are<unicode::is_space>},
    {"isdecimal", all_are<is_decimal_digit>},
    {"isnumeric", all_are<is_numeric>},
    {"isupper", all_cased<unicode::is_upper, unicode::is_lower>},
    {"islower", all_cased<unicode::is_lower, unicode::is_upper>},
    {"istitle", is_title},
    {"isascii", is_ascii},
    {"isprintable", is_printable},
    {"isidentifier", is_identifier},
    {"strip", stripped<unicode::strip, unicode::strip>, 0, {"chars"}, kPositional},
    {"lstrip", stripped<unicode::lstrip, unicode::lstrip>, 0, {"chars"}, kPositional},
    {"rstrip", stripped<unicode::rstrip, unicode::rstrip>, 0, {"chars"}, kPositional},
    {"removeprefix", remove_prefix, 1, {"prefix"}, kPositional},
    {"removesuffix", remove_suffix, 1, {"suffix"}, kPositional},
    {"ljust", ljust, 1, {"width", "fillchar"}, kPositional},
    {"rjust", rjust, 1, {"width", "fillchar"}, kPositional},
    {"center", center, 1, {"width", "fillchar"}, kPositional},
    {"zfill", zfill, 1, {"width"}, kPositional},
    {"expandtabs", expandtabs, 0, {"tabsize"}},
    {"encode",
     [](Call&) -> Value { unsupported("str.encode() is not built in: templates have no bytes"); },
     0,
     {},
     Builtin::variadic},
    {"translate",
     [](Call&) -> Value { unsupported("str.translate() is not built in"); },
     0,
     {},
     Builtin::variadic},
}};

}  // namespace

std::span<const Builtin> string_case_methods() {
  return kMethods;
}

}  // namespace tare::text::jinja
