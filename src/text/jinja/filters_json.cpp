#include <fmt/format.h>

#include <array>
#include <cmath>

#include "base/json.h"
#include "base/python.h"
#include "text/jinja/dicts.h"
#include "text/jinja/filter_tools.h"
#include "text/jinja/operators.h"
#include "text/jinja/sort.h"

/// tojson, in the two forms that differ: Jinja2's and transformers'.
namespace tare::text::jinja {
namespace {

struct JsonStyle {
  std::string indent;  ///< what one level is indented by
  bool multiline = false;
  std::string item_separator = ", ";
  std::string key_separator = ": ";
  bool sort_keys = false;
  bool ascii_only = false;
};

/// json.dumps.
class JsonWriter {
 public:
  JsonWriter(Heap& heap, const JsonStyle& style) : heap_(heap), style_(style) {}

  std::string run(const Value& value) {
    write(value);
    return std::move(out_);
  }

 private:
  void write(const Value& value) {
    const Heap::Level level(heap_);
    heap_.step();
    if (value.is_string()) return write_string(value.str());
    if (const auto* items = sequence_items(value)) return write_list(*items);
    if (const auto* dict = as<Dict>(value)) return write_dict(*dict);
    out_ += scalar(value);
  }

  std::string scalar(const Value& value) {
    if (value.is_none()) return "null";
    if (value.is_bool()) return value.as_bool() ? "true" : "false";
    if (value.is_int()) return std::to_string(value.as_int());
    if (!value.is_real())
      type_error(fmt::format("Object of type {} is not JSON serializable", type_name(value)));
    if (std::isnan(value.as_real())) return "NaN";
    if (std::isinf(value.as_real())) return value.as_real() > 0 ? "Infinity" : "-Infinity";
    return base::python::repr(value.as_real());
  }

  void write_string(std::string_view text) {
    const std::string quoted =
        base::json::dump(base::Value(text), {.ascii_only = style_.ascii_only});
    heap_.charge(quoted.size());
    out_ += quoted;
  }

  void new_line() {
    if (!style_.multiline) return;
    out_ += '\n';
    for (int i = 0; i < depth_; ++i) {
      heap_.charge(style_.indent.size());
      out_ += style_.indent;
    }
  }

  /// Separates items; `first` is cleared.
  void separate(bool& first) {
    if (!first) out_ += style_.item_separator;
    first = false;
    new_line();
  }

  void write_list(const std::vector<Value>& items) {
    out_ += '[';
    ++depth_;
    bool first = true;
    for (const Value& item : items) {
      separate(first);
      write(item);
    }
    --depth_;
    if (!first) new_line();
    out_ += ']';
  }

  void write_dict(const Dict& dict) {
    std::vector<Value> pairs = dict_pairs(heap_, dict);
    if (style_.sort_keys)
      pairs = sorted(
          heap_, std::move(pairs), [](const Value& pair) { return as<Tuple>(pair)->items[0]; },
          false);
    out_ += '{';
    ++depth_;
    bool first = true;
    for (const Value& pair : pairs) {
      separate(first);
      write_key(as<Tuple>(pair)->items[0]);
      out_ += style_.key_separator;
      write(as<Tuple>(pair)->items[1]);
    }
    --depth_;
    if (!first) new_line();
    out_ += '}';
  }

  void write_key(const Value& key) {
    if (key.is_object())
      type_error(fmt::format("keys must be str, int, float, bool or None, not {}", type_name(key)));
    write_string(key.is_string() ? key.str() : scalar(key));
  }

  Heap& heap_;
  const JsonStyle& style_;
  std::string out_;
  int depth_ = 0;
};

void set_indent(Call& call, std::size_t i, JsonStyle& style) {
  if (call.value(i).is_none() || call.self.is_string()) return;
  style.multiline = true;
  style.item_separator = ",";
  const Value& indent = call.args[i];
  style.indent = indent.is_string()
                     ? indent.str()
                     : binary(call.heap, BinaryOp::multiply, call.heap.text(" "), indent).str();
}

/// `json` with < > & ' as \u escapes.
std::string html_safe(std::string_view json) {
  std::string out;
  for (const char c : json) {
    if (c == '<' || c == '>' || c == '&' || c == '\'')
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    else
      out += c;
  }
  return out;
}

Value tojson(Call& call) {
  JsonStyle style;
  style.sort_keys = style.ascii_only = true;
  set_indent(call, 0, style);
  return call.heap.text(html_safe(JsonWriter(call.heap, style).run(call.self)), true);
}

Value chat_tojson(Call& call) {
  JsonStyle style;
  style.ascii_only = call.flag(0, false);
  style.sort_keys = call.flag(3, false);
  set_indent(call, 1, style);
  if (!call.value(2).is_none()) {
    const auto* separators = sequence_items(call.args[2]);
    if (separators == nullptr || separators->size() != 2)
      value_error("separators of tojson are a pair: between items, after keys");
    style.item_separator = str(call.heap, (*separators)[0]);
    style.key_separator = str(call.heap, (*separators)[1]);
  }
  return call.heap.text(JsonWriter(call.heap, style).run(call.self));
}

constexpr std::array<Builtin, 1> kFilters = {{
    {"tojson", tojson, 0, {"indent"}},
}};

constexpr std::array<Builtin, 1> kChatFilters = {{
    {"tojson", chat_tojson, 0, {"ensure_ascii", "indent", "separators", "sort_keys"}},
}};

}  // namespace

std::span<const Builtin> json_filters(bool chat) {
  return chat ? std::span<const Builtin>(kChatFilters) : std::span<const Builtin>(kFilters);
}

}  // namespace tare::text::jinja
