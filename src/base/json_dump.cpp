#include <fmt/format.h>

#include <iterator>
#include <limits>

#include "base/json.h"
#include "base/python.h"
#include "base/unicode.h"

namespace tare::base::json {
namespace {

/// json.dumps.
class Writer {
 public:
  explicit Writer(Style style) : style_(style) {}

  std::string document(const Value& root) {
    value(root, 0);
    return std::move(out_);
  }

 private:
  void value(const Value& value, int depth) {
    switch (value.kind()) {
      case Value::Kind::string:
        return string(value.as_string());
      case Value::Kind::datetime:
        return string(python::str(value));
      case Value::Kind::list:
      case Value::Kind::tuple:
        return array(value.items(), depth);
      case Value::Kind::dict:
        return object(value.as_dict(), depth);
      default:
        out_ += scalar(value);
    }
  }

  static std::string scalar(const Value& value) {
    if (value.is_none()) return "null";
    if (value.is_bool()) return value.as_bool() ? "true" : "false";
    if (value.is_int()) return std::to_string(value.as_int());
    const double number = value.as_real();
    if (number == std::numeric_limits<double>::infinity()) return "Infinity";
    if (number == -std::numeric_limits<double>::infinity()) return "-Infinity";
    return number == number ? python::repr(number) : "NaN";
  }

  static std::string key(const Value& value) {
    if (value.is_none() || value.is_bool() || value.is_number()) return scalar(value);
    return python::str(value);
  }

  void array(const List& items, int depth) {
    if (items.empty()) {
      out_ += "[]";
      return;
    }
    out_ += '[';
    for (std::size_t i = 0; i < items.size(); ++i) {
      separate(i == 0, depth + 1);
      value(items[i], depth + 1);
    }
    close(']', depth);
  }

  void object(const Dict& dict, int depth) {
    if (dict.empty()) {
      out_ += "{}";
      return;
    }
    out_ += '{';
    bool first = true;
    for (const auto& [name, item] : dict) {
      separate(first, depth + 1);
      string(key(name));
      out_ += ": ";
      value(item, depth + 1);
      first = false;
    }
    close('}', depth);
  }

  void separate(bool first, int depth) {
    if (!first) out_ += style_.indent < 0 ? ", " : ",";
    new_line(depth);
  }

  void close(char bracket, int depth) {
    new_line(depth);
    out_ += bracket;
  }

  void new_line(int depth) {
    if (style_.indent < 0) return;
    out_ += '\n';
    out_.append(static_cast<std::size_t>(style_.indent * depth), ' ');
  }

  void string(std::string_view text) {
    out_ += '"';
    for (std::size_t pos = 0; pos < text.size();) character(unicode::decode(text, pos));
    out_ += '"';
  }

  void character(char32_t c) {
    constexpr std::string_view kNamed = "\"\\\b\f\n\r\t";
    constexpr std::string_view kLetters = "\"\\bfnrt";
    const std::size_t named = c < 0x80 ? kNamed.find(static_cast<char>(c)) : std::string_view::npos;
    if (named != std::string_view::npos)
      out_.append({'\\', kLetters[named]});
    else if (c < 0x20 || (style_.ascii_only && c > 0x7E))
      escaped(c);
    else
      unicode::append(out_, c);
  }

  void escaped(char32_t c) {
    if (c > 0xFFFF) {
      unit(0xD800 + ((c - 0x10000) >> 10));
      unit(0xDC00 + ((c - 0x10000) & 0x3FF));
    } else {
      unit(c);
    }
  }

  void unit(char32_t c) {
    fmt::format_to(std::back_inserter(out_), "\\u{:04x}", static_cast<unsigned>(c));
  }

  Style style_;
  std::string out_;
};

}  // namespace

std::string dump(const Value& value, Style style) {
  return Writer(style).document(value);
}

}  // namespace tare::base::json
