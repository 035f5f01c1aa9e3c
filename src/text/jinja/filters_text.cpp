#include <fmt/format.h>

#include <array>

#include "base/unicode.h"
#include "text/jinja/filter_tools.h"
#include "text/jinja/format.h"
#include "text/jinja/methods.h"
#include "text/jinja/operators.h"
#include "text/jinja/string_result.h"

/// Filters that change the characters of a text.
namespace tare::text::jinja {
namespace {

namespace unicode = base::unicode;

Value with_text(const Value& text, Call& call, std::string changed) {
  return call.heap.text(std::move(changed), text.is_markup());
}

template <std::string (*Map)(std::string_view)>
Value mapped(Call& call) {
  const Value text = soft_text(call);
  return with_text(text, call, Map(text.str()));
}

bool begins_word_after(char32_t c) {
  return unicode::is_space(c) || std::u32string_view(U"-({[<").find(c) != std::u32string_view::npos;
}

/// The first letter of each word in upper case, the others in lower case.
std::string title_words(std::string_view text) {
  std::string out;
  for (std::size_t pos = 0; pos < text.size();) {
    const std::size_t start = pos;
    const char32_t c = unicode::decode(text, pos);
    if (begins_word_after(c)) {
      out += text.substr(start, pos - start);
      continue;
    }
    const std::size_t rest = pos;
    for (std::size_t next = pos; pos < text.size(); pos = next)
      if (begins_word_after(unicode::decode(text, next))) break;
    out += unicode::upper(text.substr(start, rest - start));
    out += unicode::lower(text.substr(rest, pos - rest));
  }
  return out;
}

Value trim(Call& call) {
  const Value text = soft_text(call);
  if (call.value(0).is_none())
    return with_text(text, call, std::string(unicode::strip(text.str())));
  if (!call.args[0].is_string()) type_error("strip arg must be None or str");
  return with_text(text, call, std::string(unicode::strip(text.str(), call.args[0].str())));
}

Value replace(Call& call) {
  const std::string text = str(call.heap, call.self);
  const std::string old = str(call.heap, call.args[0]), with = str(call.heap, call.args[1]);
  const std::int64_t count = call.value(2).is_none() ? -1 : call.integer(2, -1);
  return call.heap.text(replace_text(call, text, old, with, count));
}

Value string(Call& call) {
  return soft_text(call);
}

Value center(Call& call) {
  static const Builtin& method =
      *methods_named("center")[static_cast<std::size_t>(MethodOwner::string)];
  const Value width = call.has(0) ? call.args[0] : Value(std::int64_t{80});
  return run_builtin(call.heap, method, soft_text(call), {{width}, {}});
}

Value wordcount(Call& call) {
  const Value text = soft_text(call);
  std::int64_t words = 0;
  bool inside = false;
  for (std::size_t pos = 0; pos < text.str().size();) {
    const char32_t c = unicode::decode(text.str(), pos);
    const bool word = unicode::is_alnum(c) || c == '_';
    words += word && !inside ? 1 : 0;
    inside = word;
  }
  return words;
}

Value format(Call& call) {
  if (!call.args.empty() && !call.named.empty())
    fail(FailureKind::runtime, "can't handle positional and keyword arguments at the same time");
  if (call.named.empty())
    return format_percent(call.heap, soft_text(call), call.heap.tuple(call.args));
  auto* dict = call.heap.make<Dict>();
  for (const auto& [name, value] : call.named) dict->set(call.heap, call.heap.text(name), value);
  return format_percent(call.heap, soft_text(call), dict);
}

constexpr std::array<Builtin, 10> kFilters = {{
    {"lower", mapped<unicode::lower>},
    {"upper", mapped<unicode::upper>},
    {"capitalize", mapped<unicode::capitalize>},
    {"title", mapped<title_words>},
    {"trim", trim, 0, {"chars"}},
    {"replace", replace, 2, {"old", "new", "count"}},
    {"string", string},
    {"center", center, 0, {"width"}},
    {"wordcount", wordcount},
    {"format", format, 0, {}, Builtin::variadic},
}};

}  // namespace

std::span<const Builtin> text_filters() {
  return kFilters;
}

}  // namespace tare::text::jinja
