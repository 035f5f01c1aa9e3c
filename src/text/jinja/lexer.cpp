#include "text/jinja/lexer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/number.h"
#include "base/python.h"
#include "base/unicode.h"
#include "text/jinja/failure.h"
#include "text/jinja/strings.h"

namespace tare::text::jinja {
namespace {

constexpr auto npos = std::string_view::npos;

bool is_decimal(char c) {
  return c >= '0' && c <= '9';
}

class Lexer {
 public:
  Lexer(std::string_view source, const Options& options) : source_(source), options_(options) {}

  std::vector<Token> run() {
    while (pos_ < source_.size()) text_and_tag();
    push(Token::Kind::end, "");
    return std::move(tokens_);
  }

 private:
  enum class Tag { variable, block, comment, raw };

  // Positions and lines.

  [[nodiscard]] char at(std::size_t pos) const {
    return pos < source_.size() ? source_[pos] : '\0';
  }

  [[nodiscard]] bool starts(std::size_t pos, std::string_view with) const {
    return source_.substr(std::min(pos, source_.size())).starts_with(with);
  }

  [[nodiscard]] std::size_t after_space(std::size_t pos) const {
    while (pos < source_.size()) {
      std::size_t next = pos;
      if (!base::unicode::is_space(base::unicode::decode(source_, next))) break;
      pos = next;
    }
    return pos;
  }

  /// The line that pos_ is on.
  int line() {
    line_ +=
        static_cast<int>(std::count(source_.begin() + static_cast<std::ptrdiff_t>(counted_),
                                    source_.begin() + static_cast<std::ptrdiff_t>(pos_), '\n'));
    counted_ = pos_;
    return line_;
  }

  void push(Token::Kind kind, std::string text, Value number = {}) {
    tokens_.push_back({kind, std::move(text), std::move(number), line()});
  }

  [[noreturn]] void fail_here(std::string text) {
    fail_at(line(), FailureKind::syntax, std::move(text));
  }

  // Template text up to the next tag.

  void text_and_tag() {
    const bool line_starting = pos_ == 0 || source_[pos_ - 1] == '\n';
    const std::size_t tag = find_tag(pos_);
    if (tag == npos) {
      push_data(source_.substr(pos_));
      pos_ = source_.size();
      return;
    }
    const char sign = sign_at(tag + 2);
    const Tag kind = tag_at(tag);
    push_data(stripped(source_.substr(pos_, tag - pos_), sign, kind, line_starting));
    pos_ = tag;
    const std::size_t inside = tag + 2 + (sign == '\0' ? 0 : 1);
    if (kind == Tag::comment) return skip_comment(inside);
    if (kind == Tag::raw) return raw(inside);
    expression(kind, inside);
  }

  [[nodiscard]] std::size_t find_tag(std::size_t from) const {
    for (std::size_t i = source_.find('{', from); i != npos; i = source_.find('{', i + 1))
      if (at(i + 1) == '{' || at(i + 1) == '%' || at(i + 1) == '#') return i;
    return npos;
  }

  [[nodiscard]] char sign_at(std::size_t pos) const {
    return at(pos) == '-' || at(pos) == '+' ? at(pos) : '\0';
  }

  [[nodiscard]] Tag tag_at(std::size_t tag) const {
    if (at(tag + 1) == '{') return Tag::variable;
    if (at(tag + 1) == '#') return Tag::comment;
    return raw_begin(tag + 2 + (sign_at(tag + 2) == '\0' ? 0 : 1)) != npos ? Tag::raw : Tag::block;
  }

  /// `text` without what the tag after it takes away: all white space before a `-`, and with
  /// lstrip_blocks the white space between the start of the line and a block or comment.
  [[nodiscard]] std::string_view stripped(std::string_view text, char sign, Tag tag,
                                          bool line_starting) const {
    if (sign == '-') return base::unicode::rstrip(text);
    if (sign == '+' || !options_.lstrip_blocks || tag == Tag::variable) return text;
    const std::size_t newline = text.rfind('\n');
    if (newline == npos && !line_starting) return text;
    const std::size_t start = newline == npos ? 0 : newline + 1;
    return base::unicode::strip(text.substr(start)).empty() ? text.substr(0, start) : text;
  }

  void push_data(std::string_view text) {
    if (!text.empty()) push(Token::Kind::data, std::string(text));
  }

  // The ends of tags.

  /// After `end` at `pos`, with the white space that it takes; npos when it is not there. A `+`
  /// before the end keeps the newline that trim_blocks would take.
  [[nodiscard]] std::size_t tag_end(std::size_t pos, std::string_view end, bool is_variable) const {
    if (at(pos) == '-' && starts(pos + 1, end)) return after_space(pos + 1 + end.size());
    if (!is_variable && at(pos) == '+' && starts(pos + 1, end)) return pos + 1 + end.size();
    if (!starts(pos, end)) return npos;
    pos += end.size();
    return !is_variable && options_.trim_blocks && at(pos) == '\n' ? pos + 1 : pos;
  }

  void skip_comment(std::size_t inside) {
    for (std::size_t pos = inside; pos < source_.size(); ++pos) {
      const std::size_t end = tag_end(pos, "#}", false);
      if (end == npos) continue;
      pos_ = end;
      return;
    }
    if (inside < source_.size()) fail_here("Missing end of comment tag");
    pos_ = source_.size();
  }

  /// After `raw %}` at `pos`, or npos.
  [[nodiscard]] std::size_t raw_begin(std::size_t pos) const {
    pos = after_space(pos);
    if (!starts(pos, "raw")) return npos;
    pos = after_space(pos + 3);
    if (starts(pos, "-%}")) return after_space(pos + 3);
    return starts(pos, "%}") ? pos + 2 : npos;
  }

  /// After `endraw %}` at `pos`, or npos.
  [[nodiscard]] std::size_t raw_end(std::size_t pos) const {
    pos = after_space(pos);
    if (!starts(pos, "endraw")) return npos;
    return tag_end(after_space(pos + 6), "%}", false);
  }

  void raw(std::size_t inside) {
    const std::size_t begin = raw_begin(inside);
    const bool line_starting = source_[begin - 1] == '\n';
    for (std::size_t i = source_.find("{%", begin); i != npos; i = source_.find("{%", i + 1)) {
      const char sign = sign_at(i + 2);
      const std::size_t end = raw_end(i + 2 + (sign == '\0' ? 0 : 1));
      if (end == npos) continue;
      pos_ = begin;
      push_data(stripped(source_.substr(begin, i - begin), sign, Tag::raw, line_starting));
      pos_ = end;
      return;
    }
    if (begin < source_.size()) fail_here("Missing end of raw directive");
    pos_ = source_.size();
  }

  // Inside {{ }} and {% %}.

  void expression(Tag tag, std::size_t inside) {
    const bool is_variable = tag == Tag::variable;
    push(is_variable ? Token::Kind::variable_begin : Token::Kind::block_begin, "");
    pos_ = inside;
    open_.clear();
    while (pos_ < source_.size()) {
      const std::size_t end =
          open_.empty() ? tag_end(pos_, is_variable ? "}}" : "%}", is_variable) : npos;
      if (end != npos) {
        push(is_variable ? Token::Kind::variable_end : Token::Kind::block_end, "");
        pos_ = end;
        return;
      }
      const std::size_t space_end = after_space(pos_);
      if (space_end != pos_)
        pos_ = space_end;
      else
        one_token();
    }
  }

  void one_token() {
    if (number() || name() || string() || symbol()) return;
    std::size_t next = pos_;
    base::unicode::decode(source_, next);
    fail_here(fmt::format("unexpected char {} at {}",
                          base::python::repr(source_.substr(pos_, next - pos_)),
                          base::unicode::length(source_.substr(0, pos_))));
  }

  /// Digits with single underscores between them; returns where they end.
  template <class IsDigit>
  [[nodiscard]] std::size_t digits(std::size_t pos, IsDigit is_digit) const {
    while (is_digit(at(pos)) ||
           (at(pos) == '_' && pos > 0 && is_digit(at(pos - 1)) && is_digit(at(pos + 1))))
      ++pos;
    return pos;
  }

  /// Where a float that starts at pos_ ends, or npos.
  [[nodiscard]] std::size_t real_end() const {
    if (pos_ > 0 && at(pos_ - 1) == '.') return npos;
    const std::size_t whole = digits(pos_, is_decimal);
    std::size_t end = whole;
    if (at(end) == '.' && is_decimal(at(end + 1))) end = digits(end + 1, is_decimal);
    if (at(end) == 'e' || at(end) == 'E') {
      const std::size_t sign = end + 1 + (at(end + 1) == '+' || at(end + 1) == '-' ? 1 : 0);
      if (is_decimal(at(sign))) return digits(sign, is_decimal);
    }
    return end == whole ? npos : end;
  }

  bool number() {
    if (!is_decimal(at(pos_))) return false;
    if (const std::size_t end = real_end(); end != npos) {
      const std::string text = without_underscores(source_.substr(pos_, end - pos_));
      push(Token::Kind::real, text, *base::read_real(text));
      pos_ = end;
      return true;
    }
    return based_integer() || decimal_integer();
  }

  static std::string without_underscores(std::string_view text) {
    std::string out(text);
    std::erase(out, '_');
    return out;
  }

  void push_integer(std::size_t digits_begin, std::size_t end, int base) {
    const std::string text = without_underscores(source_.substr(digits_begin, end - digits_begin));
    const auto value = base::read_integer(text, base);
    if (!value) fail_here(fmt::format("the integer {} does not fit 64 bits", text));
    push(Token::Kind::integer, text, *value);
    pos_ = end;
  }

  bool based_integer() {
    static constexpr std::array<std::pair<char, int>, 3> kBases = {{{'b', 2}, {'o', 8}, {'x', 16}}};
    if (at(pos_) != '0') return false;
    for (const auto& [letter, base] : kBases) {
      if ((at(pos_ + 1) | 0x20) != letter) continue;
      auto is_digit = [base = base](char c) { return digit_value(c) < base; };
      const std::size_t begin = pos_ + 2 + (at(pos_ + 2) == '_' ? 1 : 0);
      if (!is_digit(at(begin))) return false;
      push_integer(begin, digits(begin, is_digit), base);
      return true;
    }
    return false;
  }

  bool decimal_integer() {
    const bool zeros = at(pos_) == '0';
    const std::size_t end =
        digits(pos_, [zeros](char c) { return zeros ? c == '0' : is_decimal(c); });
    push_integer(pos_, end, 10);
    return true;
  }

  bool name() {
    std::size_t end = pos_;
    while (end < source_.size()) {
      std::size_t next = end;
      if (!is_name_char(base::unicode::decode(source_, next))) break;
      end = next;
    }
    if (end == pos_) return false;
    const std::string_view text = source_.substr(pos_, end - pos_);
    if (!is_identifier(text)) fail_here("Invalid character in identifier");
    push(Token::Kind::name, std::string(text));
    pos_ = end;
    return true;
  }

  bool string() {
    const char quote = at(pos_);
    if (quote != '\'' && quote != '"') return false;
    std::size_t end = pos_ + 1;
    while (end < source_.size() && source_[end] != quote) end += source_[end] == '\\' ? 2 : 1;
    if (end >= source_.size()) return false;
    push(Token::Kind::string, decode_literal(source_.substr(pos_ + 1, end - pos_ - 1), line()));
    pos_ = end + 1;
    return true;
  }

  bool symbol() {
    static constexpr std::array<std::string_view, 6> kPairs = {"//", "**", "==", "!=", ">=", "<="};
    static constexpr std::string_view kSingles = "+-/*%~[](){}><=.:|,;";
    std::size_t size = 0;
    for (const std::string_view pair : kPairs)
      if (starts(pos_, pair)) size = 2;
    if (size == 0 && kSingles.find(at(pos_)) != npos) size = 1;
    if (size == 0) return false;
    const std::string_view text = source_.substr(pos_, size);
    balance(text);
    push(Token::Kind::symbol, std::string(text));
    pos_ += size;
    return true;
  }

  void balance(std::string_view text) {
    static constexpr std::string_view kOpen = "([{", kClose = ")]}";
    if (const std::size_t i = kOpen.find(text); i != npos) open_ += kClose[i];
    if (kClose.find(text) == npos) return;
    if (open_.empty()) fail_here(fmt::format("unexpected '{}'", text));
    if (open_.back() != text[0])
      fail_here(fmt::format("unexpected '{}', expected '{}'", text, open_.back()));
    open_.pop_back();
  }

  std::string_view source_;
  const Options& options_;
  std::size_t pos_ = 0;
  std::size_t counted_ = 0;
  int line_ = 1;
  std::string open_;  ///< the closing brackets that are still to come
  std::vector<Token> tokens_;
};

}  // namespace

std::string normalize_source(std::string_view source, const Options& options) {
  std::string out;
  out.reserve(source.size());
  for (std::size_t i = 0; i < source.size(); ++i) {
    if (source[i] != '\r') {
      out += source[i];
      continue;
    }
    out += '\n';
    if (i + 1 < source.size() && source[i + 1] == '\n') ++i;
  }
  if (!options.keep_trailing_newline && out.ends_with('\n')) out.pop_back();
  return out;
}

std::vector<Token> tokenize(std::string_view source, const Options& options) {
  return Lexer(source, options).run();
}

std::string describe(const Token& token) {
  using Kind = Token::Kind;
  switch (token.kind) {
    case Kind::data:
      return "template data / text";
    case Kind::variable_begin:
      return "begin of print statement";
    case Kind::variable_end:
      return "end of print statement";
    case Kind::block_begin:
      return "begin of statement block";
    case Kind::block_end:
      return "end of statement block";
    case Kind::string:
      return "string";
    case Kind::integer:
      return "integer";
    case Kind::real:
      return "float";
    case Kind::end:
      return "end of template";
    default:
      return token.text;
  }
}

}  // namespace tare::text::jinja
