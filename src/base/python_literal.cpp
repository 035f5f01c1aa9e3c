#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "base/number.h"
#include "base/position.h"
#include "base/python.h"
#include "base/unicode.h"

namespace tare::base::python {
namespace {

/// CPython's tokenizer stops at the same number of open brackets.
constexpr int kMaxDepth = 200;

bool is_decimal(char c) {
  return c >= '0' && c <= '9';
}
bool is_word_char(char c) {
  return is_decimal(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
         static_cast<signed char>(c) < 0;
}
bool is_quote(char c) {
  return c == '\'' || c == '"';
}
bool is_hex_digit(char c) {
  return is_decimal(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

/// A numeral without its underscores; nothing unless each stands between two digits.
std::optional<std::string> without_underscores(std::string_view text, bool (*is_digit)(char)) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '_')
      out += text[i];
    else if (i == 0 || i + 1 == text.size() || !is_digit(text[i - 1]) || !is_digit(text[i + 1]))
      return std::nullopt;
  }
  return out;
}

/// 16, 8 or 2 for a numeral with a prefix, else 10.
int base_of(std::string_view numeral) {
  if (numeral.size() < 2 || numeral[0] != '0') return 10;
  switch (numeral[1] | 0x20) {
    case 'x':
      return 16;
    case 'o':
      return 8;
    case 'b':
      return 2;
    default:
      return 10;
  }
}

bool all_digits(std::string_view text, int base) {
  auto in_base = [base](char c) {
    return base == 16 ? is_hex_digit(c) : c >= '0' && c - '0' < base;
  };
  return !text.empty() && std::all_of(text.begin(), text.end(), in_base);
}

bool is_hashable(const Value& value) {
  if (value.is_list() || value.is_dict()) return false;
  return !value.is_tuple() || std::all_of(value.items().begin(), value.items().end(), is_hashable);
}

/// What a string literal's opening says.
struct Opening {
  bool raw = false;
  bool triple = false;
  char quote = '"';
};

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  Result<Value> document() {
    if (!unicode::valid(text_)) return input_error("the text is no UTF-8");
    skip_lines();
    TARE_TRY(Value first, value());
    skip_space();
    if (peek() == ',') {
      TARE_TRY(first, rest_of_tuple(std::move(first)));
    }
    skip_lines();
    if (pos_ != text_.size()) return wanted("the end of the text");
    return first;
  }

 private:
  Failure error_at(std::size_t offset, std::string_view what) const {
    return input_error(fmt::format("{}: {}", line_and_column(text_, offset), what));
  }

  Failure wanted(std::string_view what) const {
    return error_at(pos_, fmt::format("found {}, wanted {}", found_at(text_, pos_), what));
  }

  [[nodiscard]] char peek(std::size_t ahead = 0) const {
    return pos_ + ahead < text_.size() ? text_[pos_ + ahead] : '\0';
  }

  bool take(char c) {
    if (pos_ >= text_.size() || text_[pos_] != c) return false;
    ++pos_;
    return true;
  }

  /// Consumes \n, \r\n or \r.
  bool take_line_end() {
    const std::size_t start = pos_;
    take('\r');
    take('\n');
    return pos_ > start;
  }

  bool take_blank() { return take(' ') || take('\t') || take('\f'); }

  bool take_comment() {
    if (peek() != '#') return false;
    pos_ = std::min(text_.find_first_of("\r\n", pos_), text_.size());
    return true;
  }

  bool take_joined_line() {
    if (peek() != '\\' || (peek(1) != '\n' && peek(1) != '\r')) return false;
    ++pos_;
    return take_line_end();
  }

  void skip_lines() {
    while (take_blank() || take_line_end() || take_comment() || take_joined_line()) continue;
  }

  /// Between tokens: a line end counts as space inside brackets only.
  void skip_space() {
    if (depth_ > 0) return skip_lines();
    while (take_blank() || take_comment() || take_joined_line()) continue;
  }

  Result<Value> value() {
    const char c = peek();
    if (c == '(') return in_brackets(&Parser::tuple_or_group);
    if (c == '[') return in_brackets(&Parser::list);
    if (c == '{') return in_brackets(&Parser::dict);
    if (c == '+' || c == '-') return signed_number();
    if (is_decimal(c) || (c == '.' && is_decimal(peek(1)))) return number();
    if (is_quote(c) || starts_string()) return strings();
    if (is_word_char(c)) return constant();
    return wanted("a Python literal");
  }

  Result<Value> in_brackets(Result<Value> (Parser::*inside)()) {
    if (depth_ >= kMaxDepth)
      return error_at(pos_, fmt::format("nested deeper than {} levels", kMaxDepth));
    ++depth_;
    ++pos_;
    skip_space();
    TARE_TRY(Value value, (this->*inside)());
    --depth_;
    return value;
  }

  Result<Value> list() {
    List items;
    while (!take(']')) {
      TARE_TRY(Value item, value());
      items.push_back(std::move(item));
      skip_space();
      if (!take(',') && peek() != ']') return wanted("',' or ']'");
      skip_space();
    }
    return Value(std::move(items));
  }

  Result<Value> tuple_or_group() {
    if (take(')')) return Value::tuple({});
    TARE_TRY(Value first, value());
    skip_space();
    if (peek() == ',') {
      TARE_TRY(first, rest_of_tuple(std::move(first)));
    }
    if (!take(')')) return wanted("',' or ')'");
    return first;
  }

  Result<Value> rest_of_tuple(Value first) {
    List items{std::move(first)};
    while (take(',')) {
      skip_space();
      if (pos_ == text_.size() || peek() == ')' || peek() == '\n' || peek() == '\r') break;
      TARE_TRY(Value item, value());
      items.push_back(std::move(item));
      skip_space();
    }
    return Value::tuple(std::move(items));
  }

  Result<Value> dict() {
    Dict dict;
    while (!take('}')) {
      TARE_CHECK(entry(dict));
      skip_space();
      if (!take(',') && peek() != '}') return wanted("',' or '}'");
      skip_space();
    }
    return Value(std::move(dict));
  }

  Status entry(Dict& dict) {
    const std::size_t start = pos_;
    TARE_TRY(Value key, value());
    skip_space();
    if (peek() == ',' || peek() == '}')
      return error_at(start, "found a set, wanted a dict, list or tuple");
    if (!take(':')) return wanted("':'");
    if (!is_hashable(key))
      return error_at(start, fmt::format("found a {} as a key of a dict, wanted a string, number "
                                         "or tuple",
                                         key.type_name()));
    skip_space();
    TARE_TRY(Value item, value());
    dict.set(std::move(key), std::move(item));
    return {};
  }

  [[nodiscard]] std::string_view word() const {
    std::size_t end = pos_;
    while (end < text_.size() && is_word_char(text_[end])) ++end;
    return text_.substr(pos_, end - pos_);
  }

  Result<Value> constant() {
    const std::string_view name = word();
    const std::size_t start = pos_;
    pos_ += name.size();
    if (name == "None") return Value();
    if (name == "True") return Value(true);
    if (name == "False") return Value(false);
    return error_at(start, fmt::format("found the name {}, wanted a Python literal", name));
  }

  Result<Value> signed_number() {
    const bool negative = peek() == '-';
    ++pos_;
    skip_space();
    if (!is_decimal(peek()) && peek() != '.') return wanted("a number");
    return number(negative);
  }

  [[nodiscard]] std::string_view numeral() const {
    std::size_t end = pos_;
    const bool prefixed = base_of(text_.substr(pos_)) != 10;
    while (end < text_.size()) {
      const char c = text_[end];
      const bool exponent_sign =
          (c == '+' || c == '-') && !prefixed && end > pos_ && (text_[end - 1] | 0x20) == 'e';
      if (!is_word_char(c) && c != '.' && !exponent_sign) break;
      ++end;
    }
    return text_.substr(pos_, end - pos_);
  }

  Result<Value> number(bool negative = false) {
    const std::string_view token = numeral();
    const std::size_t start = pos_;
    pos_ += token.size();
    const int base = base_of(token);
    if (base == 10 && (token.back() | 0x20) == 'j')
      return error_at(start, fmt::format("found the complex number {}, wanted a real one", token));
    if (base == 10 && token.find_first_of(".eE") != token.npos) {
      const auto digits = without_underscores(token, is_decimal);
      const auto real = digits ? read_real(*digits) : std::nullopt;
      if (!real) return bad_number(start, token);
      return Value(negative ? -*real : *real);
    }
    return integer(token, base, negative, start);
  }

  Result<Value> integer(std::string_view token, int base, bool negative, std::size_t start) {
    std::string_view tail = base == 10 ? token : token.substr(2);
    if (base != 10 && tail.starts_with('_')) tail.remove_prefix(1);
    const auto digits = without_underscores(tail, is_hex_digit);
    if (!digits || !all_digits(*digits, base)) return bad_number(start, token);
    if (base == 10 && digits->size() > 1 && digits->front() == '0' &&
        digits->find_first_not_of('0') != std::string::npos)
      return error_at(start, fmt::format("found leading zeros in {}, wanted none", token));
    const auto value = read_integer((negative ? "-" : "") + *digits, base);
    if (!value)
      return error_at(start, fmt::format("found the integer {}, wanted one of 64 bits", token));
    return Value(*value);
  }

  Failure bad_number(std::size_t start, std::string_view token) const {
    return error_at(start, fmt::format("found {}, wanted a number", token));
  }

  /// True before a prefix of at most two letters and a quote.
  [[nodiscard]] bool starts_string() const {
    const std::string_view prefix = word();
    return prefix.size() <= 2 && is_quote(peek(prefix.size()));
  }

  /// One string, or several side by side, which Python joins.
  Result<Value> strings() {
    std::string out;
    do {
      TARE_CHECK(string(out));
      skip_space();
    } while (is_quote(peek()) || (is_word_char(peek()) && starts_string()));
    return Value(std::move(out));
  }

  Result<Opening> opening() {
    const std::size_t start = pos_;
    std::string prefix(word());
    pos_ += prefix.size();
    for (char& c : prefix) c = static_cast<char>(c | 0x20);
    if (prefix.find('b') != prefix.npos)
      return error_at(start, "found a bytes literal, wanted a string without b");
    if (prefix.find('f') != prefix.npos)
      return error_at(start, "found an f-string, wanted a string without f");
    if (!prefix.empty() && prefix != "r" && prefix != "u")
      return error_at(start, fmt::format("found the string prefix {}, wanted r or u", prefix));
    Opening opening{prefix == "r", false, peek()};
    opening.triple = peek(1) == opening.quote && peek(2) == opening.quote;
    pos_ += opening.triple ? 3 : 1;
    return opening;
  }

  bool take_closing(const Opening& opening) {
    if (peek() != opening.quote) return false;
    if (!opening.triple) return take(opening.quote);
    if (peek(1) != opening.quote || peek(2) != opening.quote) return false;
    pos_ += 3;
    return true;
  }

  Status string(std::string& out) {
    const std::size_t start = pos_;
    TARE_TRY(const Opening opening, this->opening());
    while (!take_closing(opening)) {
      const bool line_end = peek() == '\n' || peek() == '\r';
      if (pos_ == text_.size() || (line_end && !opening.triple))
        return error_at(start, fmt::format("the string that starts here has no closing {}",
                                           std::string(opening.triple ? 3 : 1, opening.quote)));
      TARE_CHECK(character(out, opening.raw));
    }
    return {};
  }

  Status character(std::string& out, bool raw) {
    if (take_line_end()) {
      out += '\n';
      return {};
    }
    if (peek() != '\\') {
      out += text_[pos_++];
      return {};
    }
    ++pos_;
    if (!raw) return escape(out);
    out += '\\';
    if (pos_ == text_.size()) return {};
    if (take_line_end())
      out += '\n';
    else
      out += text_[pos_++];
    return {};
  }

  Status escape(std::string& out) {
    constexpr std::string_view kLetters = "\\'\"abfnrtv";
    constexpr std::string_view kMeanings = "\\'\"\a\b\f\n\r\t\v";
    if (take_line_end()) return {};
    const char c = peek();
    if (c >= '0' && c <= '7') {
      append_octal(out);
      return {};
    }
    if (c == 'x') return append_hex(out, 2);
    if (c == 'u') return append_hex(out, 4);
    if (c == 'U') return append_hex(out, 8);
    if (c == 'N') return error_at(pos_ - 1, "found the escape \\N, wanted \\u and four digits");
    const std::size_t known = pos_ < text_.size() ? kLetters.find(c) : kLetters.npos;
    if (known == kLetters.npos) {
      out += '\\';
      return {};
    }
    ++pos_;
    out += kMeanings[known];
    return {};
  }

  void append_octal(std::string& out) {
    char32_t c = 0;
    for (int i = 0; i < 3 && peek() >= '0' && peek() <= '7'; ++i)
      c = c * 8 + static_cast<char32_t>(text_[pos_++] - '0');
    unicode::append(out, c);
  }

  Status append_hex(std::string& out, std::size_t count) {
    const std::size_t start = pos_ - 1;
    const std::string_view digits = text_.substr(pos_ + 1, count);
    unsigned code = 0;
    const char* end = digits.data() + digits.size();
    const auto [stop, error] = std::from_chars(digits.data(), end, code, 16);
    if (digits.size() != count || stop != end || error != std::errc{})
      return error_at(
          start, fmt::format("found an incomplete escape, wanted {} hexadecimal digits", count));
    if (code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF))
      return error_at(start, fmt::format("found the escape of U+{:04X}, wanted a character", code));
    pos_ += 1 + count;
    unicode::append(out, code);
    return {};
  }

  std::string_view text_;
  std::size_t pos_ = 0;
  int depth_ = 0;
};

}  // namespace

Result<Value> parse_literal(std::string_view text) {
  return Parser(text).document();
}

}  // namespace tare::base::python
