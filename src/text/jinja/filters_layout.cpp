#include <fmt/format.h>

#include <array>

#include "base/unicode.h"
#include "text/jinja/filter_tools.h"
#include "text/jinja/operators.h"
#include "text/jinja/string_result.h"
#include "text/jinja/strings.h"
#include "text/jinja/wordwrap.h"

/// Filters that lay text out in lines.
namespace tare::text::jinja {
namespace {

namespace unicode = base::unicode;

/// The input, which must be a string: other types have no splitlines().
const std::string& input_text(Call& call) {
  require_defined(call.self);
  if (!call.self.is_string())
    fail(FailureKind::attribute,
         fmt::format("'{}' object has no attribute 'splitlines'", type_name(call.self)));
  return call.self.str();
}

std::string indentation(Call& call) {
  if (call.has(0) && call.args[0].is_string()) return call.args[0].str();
  const Value width = call.has(0) ? call.args[0] : Value(std::int64_t{4});
  return binary(call.heap, BinaryOp::multiply, call.heap.text(" "), width).str();
}

Value indent(Call& call) {
  const std::string space = indentation(call);
  if (!call.self.is_string() && as<List>(call.self) == nullptr) {
    require_defined(call.self);
    type_error(
        fmt::format("unsupported operand type(s) for +=: '{}' and 'str'", type_name(call.self)));
  }
  const std::string text = input_text(call) + "\n";  // so that the last line has an end too
  const bool blank = call.flag(2, false);
  std::string out = call.flag(1, false) ? space : "";
  bool first = true;
  for (const std::string_view line : split_lines(text, false)) {
    if (!first) out += '\n';
    if (!first && (blank || !line.empty())) {
      call.heap.charge(space.size());
      out += space;
    }
    out += line;
    first = false;
  }
  return like_self(call, std::move(out));
}

Value truncate(Call& call) {
  Heap& heap = call.heap;
  const Value length = call.has(0) ? call.args[0] : Value(std::int64_t{255});
  const std::string end = call.has(2) ? call.string(2) : "...";
  const Value leeway = call.value(3).is_none() ? Value(std::int64_t{5}) : call.args[3];
  const auto end_length = static_cast<std::int64_t>(unicode::length(end));
  if (compare(heap, CompareOp::less, length, end_length))
    fail(FailureKind::assertion,
         fmt::format("expected length >= {}, got {}", end_length, repr(heap, length)));
  if (compare(heap, CompareOp::less, leeway, std::int64_t{0}))
    fail(FailureKind::assertion, "expected leeway >= 0, got " + repr(heap, leeway));
  const Value most = binary(heap, BinaryOp::add, length, leeway);
  if (compare(heap, CompareOp::less_equal, length_of(call.self), most)) return call.self;
  if (!call.self.is_string())
    fail(call.flag(1, false) ? FailureKind::type : FailureKind::attribute,
         fmt::format("the filter truncate cannot cut a '{}'", type_name(call.self)));
  const std::string& text = call.self.str();
  const auto size = static_cast<std::size_t>(call.integer(0, 255) - end_length);
  std::string kept = text.substr(0, byte_offset(text, size));
  if (!call.flag(1, false)) kept = kept.substr(0, kept.rfind(' '));
  return like_self(call, kept + end);
}

Value wordwrap(Call& call) {
  const std::string& text = input_text(call);
  if (text.empty()) return call.self;
  if (call.has(0)) require_defined(call.args[0]);
  if (call.has(0) && call.args[0].is_real()) unsupported("a fractional width is not built in");
  const std::int64_t width = call.integer(0, 79);
  const std::string separator = call.value(2).is_none() ? "\n" : call.string(2);
  WrapRules rules;
  rules.break_long_words = call.flag(1, true);
  rules.break_on_hyphens = call.flag(3, true);
  std::string out;
  bool first = true;
  for (const std::string_view paragraph : split_lines(text, false)) {
    if (!first) out += separator;
    first = false;
    if (!paragraph.empty() && width <= 0)
      value_error(fmt::format("invalid width {} (must be > 0)", width));
    rules.width = static_cast<std::size_t>(width);
    call.heap.step(paragraph.size());
    bool first_line = true;
    for (const std::string& line : wrap_paragraph(paragraph, rules)) {
      if (!first_line) out += separator;
      first_line = false;
      out += line;
      call.heap.charge(separator.size());
    }
  }
  return like_self(call, std::move(out));
}

constexpr std::array<Builtin, 4> kFilters = {{
    {"indent", indent, 0, {"width", "first", "blank"}},
    {"truncate", truncate, 0, {"length", "killwords", "end", "leeway"}},
    {"wordwrap", wordwrap, 0, {"width", "break_long_words", "wrapstring", "break_on_hyphens"}},
    {"pprint", refuse_filter<>, 0, {}, Builtin::variadic},
}};

}  // namespace

std::span<const Builtin> layout_filters() {
  return kFilters;
}

}  // namespace tare::text::jinja
