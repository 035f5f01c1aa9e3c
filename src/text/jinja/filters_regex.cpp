#include <array>

#include "text/jinja/filter_tools.h"
#include "text/jinja/string_result.h"
#include "text/regex.h"

/// The filter that lm-eval 0.4.13 adds to Jinja's own.
namespace tare::text::jinja {
namespace {

template <class T>
T or_fail(base::Result<T> result) {
  if (result) return std::move(*result);
  const bool input = result.error().kind == base::ErrorKind::input;
  fail(input ? FailureKind::value : FailureKind::limit, result.error().text);
}

/// The argument as a string. An undefined one raises as it does in Python's cache of patterns.
const std::string& text_argument(Call& call, std::size_t i) {
  if (!call.args[i].is_string()) static_cast<void>(str(call.heap, call.args[i]));
  return call.string(i);
}

/// re.sub(pattern, repl, text, count). A negative count replaces nothing, as in CPython.
Value regex_replace(Call& call) {
  if (!call.self.is_string()) type_error("expected string or bytes-like object");
  const Regex regex = or_fail(Regex::compile(text_argument(call, 0)));
  const std::int64_t count = call.integer(2, 0);
  if (count < 0) return call.heap.text(call.self.str());
  return call.heap.text(
      or_fail(regex.sub(call.self.str(), text_argument(call, 1), static_cast<std::size_t>(count))));
}

constexpr std::array<Builtin, 1> kFilters = {{
    {"regex_replace", regex_replace, 2, {"pattern", "repl", "count"}},
}};

}  // namespace

std::span<const Builtin> regex_filters() {
  return kFilters;
}

}  // namespace tare::text::jinja
