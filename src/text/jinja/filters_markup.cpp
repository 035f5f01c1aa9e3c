#include <fmt/format.h>

#include <array>

#include "text/jinja/escape.h"
#include "text/jinja/filter_tools.h"
#include "text/jinja/iterate.h"
#include "text/jinja/operators.h"

/// Filters for HTML, XML and addresses.
namespace tare::text::jinja {

std::string escape_html(std::string_view text) {
  static constexpr std::array<std::pair<char, std::string_view>, 5> kEntities = {
      {{'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'\'', "&#39;"}, {'"', "&#34;"}}};
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    std::string_view replacement;
    for (const auto& [character, entity] : kEntities)
      if (c == character) replacement = entity;
    if (replacement.empty())
      out += c;
    else
      out += replacement;
  }
  return out;
}

namespace {

Value escaped(Heap& heap, const Value& value) {
  if (value.is_markup()) return value;
  return heap.text(escape_html(str(heap, value)), true);
}

Value escape(Call& call) {
  return escaped(call.heap, call.self);
}

Value force_escape(Call& call) {
  return call.heap.text(escape_html(str(call.heap, call.self)), true);
}

Value safe(Call& call) {
  return call.heap.text(str(call.heap, call.self), true);
}

Value xmlattr(Call& call) {
  std::string out;
  for (const auto& [key, value] : dict_input(call).entries()) {
    if (value.is_none() || as<Undefined>(value) != nullptr) continue;
    if (!key.is_string()) type_error("expected string or bytes-like object");
    if (key.str().find_first_of(" \t\n\r\f\v/>=") != std::string::npos)
      value_error("Invalid character in attribute name: " + repr(call.heap, key));
    if (!out.empty()) out += ' ';
    out += fmt::format("{}=\"{}\"", escaped(call.heap, key).str(), escaped(call.heap, value).str());
  }
  return call.heap.text(!out.empty() && call.flag(0, true) ? " " + out : out);
}

bool is_unreserved(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("_.-~").find(c) != std::string_view::npos;
}

std::string quoted(std::string_view text, bool in_query) {
  std::string out;
  for (const char c : text) {
    if (is_unreserved(c) || (c == '/' && !in_query))
      out += c;
    else if (c == ' ' && in_query)
      out += '+';
    else
      out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return out;
}

Value urlencode(Call& call) {
  require_strictly_defined(call.self);
  if (call.self.is_string() || !is_iterable(call.self))
    return call.heap.text(quoted(str(call.heap, call.self), false));
  Value pairs = call.self;
  if (auto* dict = as<Dict>(call.self)) pairs = call.heap.make<View>(dict, View::Part::items);
  std::string out;
  for (const Value& item : collect(call.heap, pairs)) {
    const std::vector<Value> pair = collect(call.heap, item);
    if (pair.size() != 2)
      value_error(
          fmt::format("not enough or too many values to unpack (expected 2, got {})", pair.size()));
    if (!out.empty()) out += '&';
    out += quoted(str(call.heap, pair[0]), true) + "=" + quoted(str(call.heap, pair[1]), true);
  }
  return call.heap.text(std::move(out));
}

constexpr std::array<Builtin, 8> kFilters = {{
    {"escape", escape},
    {"e", escape},
    {"forceescape", force_escape},
    {"safe", safe},
    {"xmlattr", xmlattr, 0, {"autospace"}},
    {"urlencode", urlencode},
    {"urlize", refuse_filter<>, 0, {}, Builtin::variadic},
    {"striptags", refuse_filter<>, 0, {}, Builtin::variadic},
}};

}  // namespace

std::span<const Builtin> markup_filters() {
  return kFilters;
}

}  // namespace tare::text::jinja
