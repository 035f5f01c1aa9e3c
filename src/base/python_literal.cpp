#include <fmt/format.h>

#include <algorithm>

#include "base/literal_parts.h"
#include "base/python.h"
#include "base/unicode.h"

namespace tare::base::python {
namespace {

/// CPython's tokenizer stops at the same number of open brackets.
constexpr int kMaxDepth = 200;

bool is_hashable(const Value& value) {
  if (value.is_list() || value.is_dict()) return false;
  return !value.is_tuple() || std::all_of(value.items().begin(), value.items().end(), is_hashable);
}

class Parser {
 public:
  explicit Parser(std::string_view text) : cursor_(text) {}

  Result<Value> document() {
    if (!unicode::valid(cursor_.rest())) return input_error("the text is no UTF-8");
    cursor_.skip_space(true);
    TARE_TRY(Value value, value_or_tuple());
    cursor_.skip_space(true);
    if (!cursor_.at_end()) return cursor_.wanted("the end of the text");
    return value;
  }

 private:
  /// Between tokens: a line end counts as space inside brackets only.
  void skip_space() { cursor_.skip_space(depth_ > 0); }

  Result<Value> value() {
    const char c = cursor_.peek();
    if (c == '(') return in_brackets(&Parser::tuple_or_group);
    if (c == '[') return in_brackets(&Parser::list);
    if (c == '{') return in_brackets(&Parser::dict);
    if (c == '+' || c == '-') return signed_number();
    if (is_decimal(c) || (c == '.' && is_decimal(cursor_.peek(1))))
      return read_number(cursor_, false);
    if (starts_string(cursor_)) return strings();
    if (is_word_char(c)) return constant();
    return cursor_.wanted("a Python literal");
  }

  Result<Value> in_brackets(Result<Value> (Parser::*inside)()) {
    if (depth_ >= kMaxDepth)
      return cursor_.error_at(cursor_.position(),
                              fmt::format("nested deeper than {} levels", kMaxDepth));
    ++depth_;
    cursor_.skip(1);
    skip_space();
    TARE_TRY(Value value, (this->*inside)());
    --depth_;
    return value;
  }

  Result<Value> list() {
    List items;
    while (!cursor_.take(']')) {
      TARE_TRY(Value item, value());
      items.push_back(std::move(item));
      TARE_CHECK(separator(']'));
    }
    return Value(std::move(items));
  }

  Result<Value> dict() {
    Dict dict;
    while (!cursor_.take('}')) {
      TARE_CHECK(entry(dict));
      TARE_CHECK(separator('}'));
    }
    return Value(std::move(dict));
  }

  /// A comma, unless the closing bracket follows.
  Status separator(char closing) {
    skip_space();
    if (!cursor_.take(',') && cursor_.peek() != closing)
      return cursor_.wanted(fmt::format("',' or '{}'", closing));
    skip_space();
    return {};
  }

  Status entry(Dict& dict) {
    const std::size_t start = cursor_.position();
    TARE_TRY(Value key, value());
    skip_space();
    if (cursor_.peek() == ',' || cursor_.peek() == '}')
      return cursor_.error_at(start, "found a set, wanted a dict, list or tuple");
    if (!cursor_.take(':')) return cursor_.wanted("':'");
    if (!is_hashable(key))
      return cursor_.error_at(start, fmt::format("found a {} as a key of a dict, wanted a string, "
                                                 "number or tuple",
                                                 key.type_name()));
    skip_space();
    TARE_TRY(Value item, value());
    dict.set(std::move(key), std::move(item));
    return {};
  }

  Result<Value> tuple_or_group() {
    if (cursor_.take(')')) return Value::tuple({});
    TARE_TRY(Value inside, value_or_tuple());
    if (!cursor_.take(')')) return cursor_.wanted("',' or ')'");
    return inside;
  }

  /// A value, or several with commas between them, which are a tuple.
  Result<Value> value_or_tuple() {
    TARE_TRY(Value first, value());
    skip_space();
    if (cursor_.peek() != ',') return first;
    List items{std::move(first)};
    while (cursor_.take(',')) {
      skip_space();
      const char c = cursor_.peek();
      if (cursor_.at_end() || c == ')' || c == '\n' || c == '\r') break;
      TARE_TRY(Value item, value());
      items.push_back(std::move(item));
      skip_space();
    }
    return Value::tuple(std::move(items));
  }

  Result<Value> constant() {
    const std::string_view name = cursor_.word();
    const std::size_t start = cursor_.position();
    cursor_.skip(name.size());
    if (name == "None") return Value();
    if (name == "True") return Value(true);
    if (name == "False") return Value(false);
    return cursor_.error_at(start, fmt::format("found the name {}, wanted a Python literal", name));
  }

  Result<Value> signed_number() {
    const bool negative = cursor_.next() == '-';
    skip_space();
    if (!is_decimal(cursor_.peek()) && cursor_.peek() != '.') return cursor_.wanted("a number");
    return read_number(cursor_, negative);
  }

  /// One string, or several side by side, which Python joins.
  Result<Value> strings() {
    std::string out;
    do {
      TARE_CHECK(read_string(cursor_, out));
      skip_space();
    } while (starts_string(cursor_));
    return Value(std::move(out));
  }

  Cursor cursor_;
  int depth_ = 0;
};

}  // namespace

Result<Value> parse_literal(std::string_view text) {
  return Parser(text).document();
}

}  // namespace tare::base::python
