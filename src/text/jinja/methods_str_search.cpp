#include <fmt/format.h>

#include <array>

#include "base/unicode.h"
#include "text/jinja/escape.h"
#include "text/jinja/format.h"
#include "text/jinja/methods.h"
#include "text/jinja/operators.h"
#include "text/jinja/output.h"
#include "text/jinja/string_result.h"
#include "text/jinja/strings.h"

/// Methods of str that look for text in text, replace it or fill it in.
namespace tare::text::jinja {

std::string inserted(const Call& call, const Value& argument) {
  const bool escape = call.self.is_markup() && !argument.is_markup();
  return escape ? escape_html(argument.str()) : argument.str();
}

namespace {

namespace unicode = base::unicode;
constexpr auto npos = std::string_view::npos;

/// The part of the receiver between the optional code point arguments start and end.
struct Window {
  std::string_view text;
  std::int64_t start = 0;  ///< where it begins, in code points
  bool valid = false;      ///< false: it begins beyond the end, so nothing is ever found in it
};

std::optional<std::int64_t> optional_index(Call& call, std::size_t i) {
  if (call.value(i).is_none()) return std::nullopt;
  if (!call.args[i].is_integral())
    type_error("slice indices must be integers or None or have an __index__ method");
  return call.args[i].as_int();
}

Window window(Call& call) {
  const std::string& text = self_text(call);
  const auto start = optional_index(call, 1), end = optional_index(call, 2);
  if (!start && !end) return {text, 0, true};
  const auto length = static_cast<std::int64_t>(unicode::length(text));
  const SliceBounds bounds = adjust_slice(start, end, 1, length);
  if ((start && *start > length) || bounds.stop < bounds.start) return {};
  const std::size_t from = byte_offset(text, static_cast<std::size_t>(bounds.start));
  const std::size_t to = byte_offset(text, static_cast<std::size_t>(bounds.stop));
  return {std::string_view(text).substr(from, to - from), bounds.start, true};
}

const std::string& needle(Call& call) {
  if (!call.args[0].is_string())
    type_error(fmt::format("must be str, not {}", type_name(call.args[0])));
  return call.args[0].str();
}

template <bool FromRight>
std::int64_t position(Call& call) {
  const std::string& wanted = needle(call);
  const Window in = window(call);
  if (!in.valid) return -1;
  call.heap.step(in.text.size() / 64);
  const std::size_t at = FromRight ? in.text.rfind(wanted) : in.text.find(wanted);
  if (at == npos) return -1;
  return in.start + static_cast<std::int64_t>(unicode::length(in.text.substr(0, at)));
}

template <bool FromRight>
Value find(Call& call) {
  return position<FromRight>(call);
}

template <bool FromRight>
Value index(Call& call) {
  const std::int64_t found = position<FromRight>(call);
  if (found < 0) value_error("substring not found");
  return found;
}

Value count(Call& call) {
  const std::string& wanted = needle(call);
  const Window in = window(call);
  if (!in.valid) return std::int64_t{0};
  if (wanted.empty()) return static_cast<std::int64_t>(unicode::length(in.text)) + 1;
  std::int64_t found = 0;
  for (std::size_t at = in.text.find(wanted); at != npos;
       at = in.text.find(wanted, at + wanted.size()))
    ++found;
  return found;
}

/// startswith and endswith: one text, or a tuple of which one must match.
template <bool (*Matches)(std::string_view, std::string_view)>
Value affix(Call& call) {
  const Window in = window(call);
  auto matches = [&](const Value& wanted, std::string_view who) {
    if (!wanted.is_string())
      type_error(fmt::format("{} {} str{}, not {}", call.name, who,
                             who[0] == 't' ? "" : " or a tuple of str", type_name(wanted)));
    return in.valid && Matches(in.text, wanted.str());
  };
  const auto* tuple = as<Tuple>(call.args[0]);
  if (tuple == nullptr) return matches(call.args[0], "first arg must be");
  for (const Value& item : tuple->items)
    if (matches(item, "tuple for must only contain")) return true;
  return false;
}

bool starts(std::string_view text, std::string_view with) {
  return text.starts_with(with);
}
bool ends(std::string_view text, std::string_view with) {
  return text.ends_with(with);
}

/// Puts `with` before each code point and at the end, `most` times at most.
std::string interleave(Call& call, std::string_view text, const std::string& with,
                       std::uint64_t most) {
  std::string out;
  std::size_t pos = 0;
  for (std::uint64_t done = 0; done < most; ++done) {
    call.heap.charge(with.size());
    out += with;
    if (pos >= text.size()) return out;
    const std::size_t start = pos;
    unicode::decode(text, pos);
    out += text.substr(start, pos - start);
  }
  return out.append(text.substr(pos));
}

Value replace(Call& call) {
  const std::string& old = call.string(0);
  require_string(call, 1);
  return like_self(call, replace_text(call, self_text(call), old, inserted(call, call.args[1]),
                                      call.integer(2, -1)));
}

Value format(Call& call) {
  if (call.self.is_markup()) unsupported("format() of an escaped text is not built in");
  return call.heap.text(format_braces(call.heap, self_text(call), call.args, call.named));
}

Value format_map(Call& call) {
  const auto* dict = as<Dict>(call.args[0]);
  if (dict == nullptr || call.self.is_markup())
    type_error("format_map() takes a dict, and no escaped text");
  std::vector<NamedArgument> named;
  for (const auto& [key, value] : dict->entries())
    if (key.is_string()) named.emplace_back(key.str(), value);
  return call.heap.text(format_braces(call.heap, self_text(call), {}, named));
}

constexpr unsigned kPositional = Builtin::positional_only;

constexpr std::array<Builtin, 10> kMethods = {{
    {"find", find<false>, 1, {"sub", "start", "end"}, kPositional},
    {"rfind", find<true>, 1, {"sub", "start", "end"}, kPositional},
    {"index", index<false>, 1, {"sub", "start", "end"}, kPositional},
    {"rindex", index<true>, 1, {"sub", "start", "end"}, kPositional},
    {"count", count, 1, {"sub", "start", "end"}, kPositional},
    {"startswith", affix<starts>, 1, {"prefix", "start", "end"}, kPositional},
    {"endswith", affix<ends>, 1, {"suffix", "start", "end"}, kPositional},
    {"replace", replace, 2, {"old", "new", "count"}, kPositional},
    {"format", format, 0, {}, Builtin::variadic},
    {"format_map", format_map, 1, {"mapping"}, kPositional},
}};

}  // namespace

std::string replace_text(Call& call, std::string_view text, std::string_view old,
                         const std::string& with, std::int64_t count) {
  const std::uint64_t most =
      count < 0 ? std::numeric_limits<std::uint64_t>::max() : static_cast<std::uint64_t>(count);
  if (old.empty()) return interleave(call, text, with, most);
  std::string out;
  std::size_t pos = 0;
  for (std::uint64_t done = 0; done < most; ++done) {
    const std::size_t found = text.find(old, pos);
    if (found == npos) break;
    call.heap.charge(with.size());
    out.append(text.substr(pos, found - pos)).append(with);
    pos = found + old.size();
  }
  return out.append(text.substr(pos));
}

std::span<const Builtin> string_search_methods() {
  return kMethods;
}

}  // namespace tare::text::jinja
