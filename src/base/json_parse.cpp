#include <fmt/format.h>

#include <charconv>
#include <limits>
#include <optional>

#include "base/json.h"
#include "base/number.h"
#include "base/position.h"
#include "base/unicode.h"

namespace tare::base::json {
namespace {

constexpr int kMaxDepth = 1000;

bool is_decimal(char c) {
  return c >= '0' && c <= '9';
}

bool is_high_surrogate(unsigned unit) {
  return unit >= 0xD800 && unit <= 0xDBFF;
}
bool is_low_surrogate(unsigned unit) {
  return unit >= 0xDC00 && unit <= 0xDFFF;
}

/// A recursive descent over RFC 8259. A library parser is no help here: those of note refuse
/// Python's NaN and numbers beyond the range of a double, which real result files hold.
class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  Result<Value> document() {
    TARE_TRY(Value root, value(0));
    skip_space();
    if (pos_ != text_.size()) return wanted("the end of the text");
    return root;
  }

 private:
  Failure wanted(std::string_view what) const { return wanted_at(pos_, what); }

  Failure wanted_at(std::size_t offset, std::string_view what) const {
    return input_error(fmt::format("{}: found {}, wanted {}", line_and_column(text_, offset),
                                   found_at(text_, offset), what));
  }

  void skip_space() {
    while (pos_ < text_.size() && std::string_view(" \t\n\r").find(text_[pos_]) != text_.npos)
      ++pos_;
  }

  [[nodiscard]] char peek() const { return pos_ < text_.size() ? text_[pos_] : '\0'; }

  bool take(char c) {
    if (pos_ >= text_.size() || text_[pos_] != c) return false;
    ++pos_;
    return true;
  }

  bool take(std::string_view token) {
    if (text_.substr(pos_, token.size()) != token) return false;
    pos_ += token.size();
    return true;
  }

  Result<Value> value(int depth) {
    skip_space();
    switch (peek()) {
      case '{':
        return object(depth);
      case '[':
        return array(depth);
      case '"': {
        TARE_TRY(std::string text, string());
        return Value(std::move(text));
      }
      default:
        break;
    }
    if (peek() == '-' || is_decimal(peek())) return number();
    if (auto constant = word()) return *constant;
    return wanted("a JSON value");
  }

  std::optional<Value> word() {
    if (take("null")) return Value();
    if (take("true")) return Value(true);
    if (take("false")) return Value(false);
    if (take("NaN")) return Value(std::numeric_limits<double>::quiet_NaN());
    if (take("Infinity")) return Value(std::numeric_limits<double>::infinity());
    return std::nullopt;
  }

  /// Consumes the bracket and checks that the next level is allowed.
  Status open(int depth) {
    if (depth >= kMaxDepth)
      return input_error(
          fmt::format("{}: nested deeper than {} levels", line_and_column(text_, pos_), kMaxDepth));
    ++pos_;
    skip_space();
    return {};
  }

  Result<Value> array(int depth) {
    TARE_CHECK(open(depth));
    List items;
    if (take(']')) return Value(std::move(items));
    while (true) {
      TARE_TRY(Value item, value(depth + 1));
      items.push_back(std::move(item));
      skip_space();
      if (take(']')) return Value(std::move(items));
      if (!take(',')) return wanted("',' or ']'");
    }
  }

  Result<Value> object(int depth) {
    TARE_CHECK(open(depth));
    Dict dict;
    if (take('}')) return Value(std::move(dict));
    while (true) {
      TARE_CHECK(member(dict, depth));
      skip_space();
      if (take('}')) return Value(std::move(dict));
      if (!take(',')) return wanted("',' or '}'");
    }
  }

  Status member(Dict& dict, int depth) {
    skip_space();
    if (peek() != '"') return wanted("a key in double quotes");
    TARE_TRY(std::string key, string());
    skip_space();
    if (!take(':')) return wanted("':'");
    TARE_TRY(Value item, value(depth + 1));
    dict.set(std::move(key), std::move(item));
    return {};
  }

  bool digits() {
    const std::size_t start = pos_;
    while (is_decimal(peek())) ++pos_;
    return pos_ > start;
  }

  Result<Value> number() {
    const std::size_t start = pos_;
    const bool negative = take('-');
    if (negative && take("Infinity")) return Value(-std::numeric_limits<double>::infinity());
    if (!take('0') && !digits()) return wanted("a digit");
    bool real = false;
    if (take('.')) {
      real = true;
      if (!digits()) return wanted("a digit after the point");
    }
    if (peek() == 'e' || peek() == 'E') {
      real = true;
      ++pos_;
      if (peek() == '+' || peek() == '-') ++pos_;
      if (!digits()) return wanted("a digit of the exponent");
    }
    const std::string_view text = text_.substr(start, pos_ - start);
    if (!real)
      if (auto integer = read_integer(text)) return Value(*integer);
    return Value(*read_real(text));
  }

  Result<std::string> string() {
    ++pos_;
    std::string out;
    while (true) {
      TARE_CHECK(plain_run(out));
      if (take('"')) return out;
      if (!take('\\')) return wanted("'\"' to end the string, or an escape");
      TARE_CHECK(escape(out));
    }
  }

  /// Copies text up to a quote, a backslash or a byte that may not stand in a string.
  Status plain_run(std::string& out) {
    const std::size_t start = pos_;
    bool ascii = true;
    while (pos_ < text_.size()) {
      const auto c = static_cast<unsigned char>(text_[pos_]);
      if (c == '"' || c == '\\' || c < 0x20) break;
      ascii = ascii && c < 0x80;
      ++pos_;
    }
    const std::string_view run = text_.substr(start, pos_ - start);
    const std::size_t bad = ascii ? run.npos : unicode::find_invalid(run);
    if (bad != run.npos) return wanted_at(start + bad, "UTF-8 text");
    out += run;
    return {};
  }

  Status escape(std::string& out) {
    constexpr std::string_view kNames = "\"\\/bfnrt";
    constexpr std::string_view kMeanings = "\"\\/\b\f\n\r\t";
    const std::size_t known = pos_ < text_.size() ? kNames.find(peek()) : kNames.npos;
    if (known != kNames.npos) {
      ++pos_;
      out += kMeanings[known];
      return {};
    }
    if (!take('u')) return wanted("an escape: one of \" \\ / b f n r t u");
    return unicode_escape(out);
  }

  Status unicode_escape(std::string& out) {
    const std::size_t start = pos_ - 2;
    TARE_TRY(const unsigned unit, hex4());
    if (!is_high_surrogate(unit) && !is_low_surrogate(unit)) {
      unicode::append(out, unit);
      return {};
    }
    if (is_high_surrogate(unit) && take("\\u")) {
      TARE_TRY(const unsigned low, hex4());
      if (is_low_surrogate(low)) {
        unicode::append(out, 0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00));
        return {};
      }
    }
    return input_error(fmt::format("{}: found the lone surrogate \\u{:04x}, wanted a pair",
                                   line_and_column(text_, start), unit));
  }

  Result<unsigned> hex4() {
    unsigned unit = 0;
    const std::string_view digits = text_.substr(pos_, 4);
    const char* end = digits.data() + digits.size();
    const auto [stop, error] = std::from_chars(digits.data(), end, unit, 16);
    if (digits.size() != 4 || stop != end) {
      pos_ += static_cast<std::size_t>(stop - digits.data());
      return wanted("four hexadecimal digits after \\u");
    }
    pos_ += 4;
    return unit;
  }

  std::string_view text_;
  std::size_t pos_ = 0;
};

}  // namespace

Result<Value> parse(std::string_view text) {
  return Parser(text).document();
}

}  // namespace tare::base::json
