#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

#include "base/unicode.h"
#include "text/jinja/iterate.h"
#include "text/jinja/methods.h"
#include "text/jinja/string_result.h"

/// Methods of str that take text apart and put it together.
namespace tare::text::jinja {
namespace {

namespace unicode = base::unicode;
constexpr auto npos = std::string_view::npos;
using Parts = std::vector<std::string_view>;

/// The end of the word at the start of `text`.
std::size_t word_end(std::string_view text) {
  for (std::size_t pos = 0; pos < text.size();) {
    const std::size_t start = pos;
    if (unicode::is_space(unicode::decode(text, pos))) return start;
  }
  return text.size();
}

Parts split_words(std::string_view text, std::uint64_t most) {
  Parts parts;
  for (text = unicode::lstrip(text); !text.empty(); text = unicode::lstrip(text)) {
    const std::size_t end = parts.size() < most ? word_end(text) : text.size();
    parts.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return parts;
}

/// The last `most` words; what is before them stays one part, with its white space inside.
Parts rsplit_words(std::string_view text, std::uint64_t most) {
  const Parts words = split_words(text, std::numeric_limits<std::uint64_t>::max());
  if (words.size() <= most) return words;
  const std::size_t kept = words.size() - most;
  const std::string_view last = words[kept - 1];
  Parts parts = {text.substr(0, static_cast<std::size_t>(last.data() - text.data()) + last.size())};
  parts.insert(parts.end(), words.begin() + static_cast<std::ptrdiff_t>(kept), words.end());
  return parts;
}

Parts split_at(std::string_view text, std::string_view separator, std::uint64_t most) {
  Parts parts;
  for (std::size_t at = 0; parts.size() < most && (at = text.find(separator)) != npos;) {
    parts.push_back(text.substr(0, at));
    text.remove_prefix(at + separator.size());
  }
  parts.push_back(text);
  return parts;
}

Parts rsplit_at(std::string_view text, std::string_view separator, std::uint64_t most) {
  Parts parts;
  for (std::size_t at = 0; parts.size() < most && (at = text.rfind(separator)) != npos;) {
    parts.push_back(text.substr(at + separator.size()));
    text = text.substr(0, at);
  }
  parts.push_back(text);
  std::reverse(parts.begin(), parts.end());
  return parts;
}

Value list_of(Call& call, const Parts& parts) {
  call.heap.step(parts.size());
  std::vector<Value> items;
  items.reserve(parts.size());
  for (const std::string_view part : parts) items.push_back(like_self(call, std::string(part)));
  return call.heap.list(std::move(items));
}

using SplitWords = Parts (*)(std::string_view, std::uint64_t);
using SplitAt = Parts (*)(std::string_view, std::string_view, std::uint64_t);

template <SplitWords Words, SplitAt At>
Value split(Call& call) {
  const std::int64_t limit = call.integer(1, -1);
  const std::uint64_t most =
      limit < 0 ? std::numeric_limits<std::uint64_t>::max() : static_cast<std::uint64_t>(limit);
  if (call.value(0).is_none()) return list_of(call, Words(self_text(call), most));
  if (!call.args[0].is_string())
    type_error(fmt::format("must be str or None, not {}", type_name(call.args[0])));
  if (call.args[0].str().empty()) value_error("empty separator");
  return list_of(call, At(self_text(call), call.args[0].str(), most));
}

bool ends_line(char32_t c) {
  return (c >= 0x0A && c <= 0x0D) || (c >= 0x1C && c <= 0x1E) || c == 0x85 || c == 0x2028 ||
         c == 0x2029;
}

Value splitlines(Call& call) {
  return list_of(call, split_lines(self_text(call), call.integer(0, 0) != 0));
}

Value join(Call& call) {
  const std::string& separator = self_text(call);
  std::string out;
  std::size_t i = 0;
  Iterator& items = iterate(call.heap, call.args[0]);
  for (Value item; items.next(call.heap, item); ++i) {
    call.heap.step();
    if (!item.is_string())
      type_error(
          fmt::format("sequence item {}: expected str instance, {} found", i, type_name(item)));
    if (i != 0) out += separator;
    out += inserted(call, item);
    call.heap.charge(separator.size());
  }
  return like_self(call, std::move(out));
}

template <bool FromRight>
Value partition(Call& call) {
  const std::string_view text = self_text(call);
  const std::string& separator = call.string(0);
  if (separator.empty()) value_error("empty separator");
  const std::size_t at = FromRight ? text.rfind(separator) : text.find(separator);
  auto part = [&](std::string_view t) { return like_self(call, std::string(t)); };
  if (at != npos)
    return call.heap.tuple(
        {part(text.substr(0, at)), part(separator), part(text.substr(at + separator.size()))});
  return FromRight ? call.heap.tuple({part(""), part(""), part(text)})
                   : call.heap.tuple({part(text), part(""), part("")});
}

constexpr std::array<Builtin, 6> kMethods = {{
    {"split", split<split_words, split_at>, 0, {"sep", "maxsplit"}},
    {"rsplit", split<rsplit_words, rsplit_at>, 0, {"sep", "maxsplit"}},
    {"splitlines", splitlines, 0, {"keepends"}},
    {"join", join, 1, {"iterable"}, Builtin::positional_only},
    {"partition", partition<false>, 1, {"sep"}, Builtin::positional_only},
    {"rpartition", partition<true>, 1, {"sep"}, Builtin::positional_only},
}};

}  // namespace

std::vector<std::string_view> split_lines(std::string_view text, bool keep_ends) {
  Parts lines;
  std::size_t start = 0;
  for (std::size_t pos = 0; pos < text.size();) {
    const std::size_t end = pos;
    if (!ends_line(unicode::decode(text, pos))) continue;
    if (text[end] == '\r' && pos < text.size() && text[pos] == '\n') ++pos;
    lines.push_back(text.substr(start, (keep_ends ? pos : end) - start));
    start = pos;
  }
  if (start < text.size()) lines.push_back(text.substr(start));
  return lines;
}

std::span<const Builtin> string_split_methods() {
  return kMethods;
}

}  // namespace tare::text::jinja
