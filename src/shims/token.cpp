#include "shims/token.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "text/jinja/failure.h"

namespace tare::shims {
namespace {

using text::jinja::fail_at;
using text::jinja::FailureKind;

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
/// Letters of other scripts count too: every byte of theirs is above ASCII.
bool starts_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}
bool continues_name(char c) {
  return starts_name(c) || is_digit(c);
}

constexpr std::array<std::string_view, 24> kOperators = {
    "**=", "//=", "...", ">>=", "<<=", "!=", "->", "==", ">=", "<=", "+=", "-=",
    "*=",  "/=",  "%=",  "&=",  "|=",  "^=", ":=", "**", "//", "<<", ">>", "@="};

class Tokenizer {
 public:
  explicit Tokenizer(std::string_view source) : source_(source) {}

  std::vector<Token> run() {
    if (source_.starts_with("\xEF\xBB\xBF")) at_ = 3;
    while (at_ < source_.size()) line();
    if (!tokens_.empty() && tokens_.back().kind != Token::Kind::newline) add(Token::Kind::newline);
    for (; indents_.size() > 1; indents_.pop_back()) add(Token::Kind::dedent);
    add(Token::Kind::end);
    return std::move(tokens_);
  }

 private:
  [[nodiscard]] char peek(std::size_t ahead = 0) const {
    return at_ + ahead < source_.size() ? source_[at_ + ahead] : '\0';
  }
  void add(Token::Kind kind, std::string_view text = {}) {
    tokens_.push_back({kind, std::string(text), line_});
  }

  /// One line from its start, with those that brackets or strings join to it.
  void line() {
    std::size_t width = 0;
    for (; peek() == ' ' || peek() == '\t' || peek() == '\f'; ++at_)
      width = peek() == '\t' ? (width / 8 + 1) * 8 : width + 1;
    skip_comment();
    if (end_of_line()) return;
    indent(width);
    while (at_ < source_.size() && !end_of_line()) token();
    add(Token::Kind::newline);
  }

  /// Moves past a line end that stands here.
  bool end_of_line() {
    if (at_ >= source_.size()) return true;
    if (peek() == '\r' && peek(1) == '\n') ++at_;
    if (peek() != '\n' && peek() != '\r') return false;
    ++at_;
    ++line_;
    return true;
  }

  void skip_comment() {
    if (peek() != '#') return;
    while (at_ < source_.size() && peek() != '\n' && peek() != '\r') ++at_;
  }

  void indent(std::size_t width) {
    if (width > indents_.back()) {
      indents_.push_back(width);
      add(Token::Kind::indent);
    }
    for (; width < indents_.back(); indents_.pop_back()) add(Token::Kind::dedent);
    if (width != indents_.back())
      fail_at(line_, FailureKind::syntax, "unindent does not match any outer level");
  }

  void token() {
    const char c = peek();
    if (c == ' ' || c == '\t' || c == '\f') {
      ++at_;
    } else if (c == '#') {
      skip_comment();
    } else if (c == '\\') {
      ++at_;
      if (!end_of_line())
        fail_at(line_, FailureKind::syntax, "unexpected character after line continuation");
    } else if (c == '\n' || c == '\r') {
      end_of_line();  // inside brackets
    } else if (const std::size_t prefix = string_prefix(); prefix != std::string_view::npos) {
      string(prefix);
    } else if (starts_name(c)) {
      const std::size_t start = at_;
      while (continues_name(peek())) ++at_;
      add(Token::Kind::name, source_.substr(start, at_ - start));
    } else if (is_digit(c) || (c == '.' && is_digit(peek(1)))) {
      number();
    } else {
      op();
    }
    while (depth_ > 0 && (peek() == '\n' || peek() == '\r')) end_of_line();
  }

  /// How many letters stand before the quote of a string that starts here.
  [[nodiscard]] std::size_t string_prefix() const {
    std::size_t n = 0;
    while (n < 3 && std::string_view("rRbBfFuU").find(peek(n)) != std::string_view::npos &&
           peek(n) != '\0')
      ++n;
    return peek(n) == '"' || peek(n) == '\'' ? n : std::string_view::npos;
  }

  void string(std::size_t prefix) {
    const std::size_t start = at_;
    const int first_line = line_;
    at_ += prefix;
    const char quote = peek();
    const bool triple = peek(1) == quote && peek(2) == quote;
    const std::string closing(triple ? 3 : 1, quote);
    at_ += closing.size();
    while (at_ >= source_.size() || source_.substr(at_, closing.size()) != closing) {
      if (at_ >= source_.size() || (!triple && peek() == '\n'))
        fail_at(first_line, FailureKind::syntax, "unterminated string literal");
      if (peek() == '\\') ++at_;
      if (peek() == '\n') ++line_;
      ++at_;
    }
    at_ += closing.size();
    tokens_.push_back(
        {Token::Kind::string, std::string(source_.substr(start, at_ - start)), first_line});
  }

  void number() {
    const std::size_t start = at_;
    while (
        continues_name(peek()) || peek() == '.' ||
        ((peek() == '+' || peek() == '-') && (source_[at_ - 1] == 'e' || source_[at_ - 1] == 'E')))
      ++at_;
    add(Token::Kind::number, source_.substr(start, at_ - start));
  }

  void op() {
    const auto found = std::ranges::find_if(
        kOperators, [&](std::string_view o) { return source_.substr(at_).starts_with(o); });
    const std::size_t size = found != kOperators.end() ? found->size() : 1;
    const std::string_view text = source_.substr(at_, size);
    if (text == "(" || text == "[" || text == "{") ++depth_;
    if ((text == ")" || text == "]" || text == "}") && depth_ > 0) --depth_;
    add(Token::Kind::op, text);
    at_ += size;
  }

  std::string_view source_;
  std::size_t at_ = 0;
  int line_ = 1;
  int depth_ = 0;  ///< open brackets
  std::vector<std::size_t> indents_ = {0};
  std::vector<Token> tokens_;
};

}  // namespace

std::vector<Token> tokenize(std::string_view source) {
  return Tokenizer(source).run();
}

StringParts string_parts(std::string_view token) {
  StringParts parts;
  std::size_t prefix = 0;
  for (; token[prefix] != '"' && token[prefix] != '\''; ++prefix) {
    const char c = static_cast<char>(token[prefix] | 0x20);
    parts.raw = parts.raw || c == 'r';
    parts.formatted = parts.formatted || c == 'f';
    parts.bytes = parts.bytes || c == 'b';
  }
  const std::string_view rest = token.substr(prefix);
  const bool triple = rest.size() >= 6 && rest[1] == rest[0] && rest[2] == rest[0];
  const std::size_t width = triple ? 3 : 1;
  parts.quote = rest.substr(0, width);
  parts.body = rest.substr(width, rest.size() - 2 * width);
  return parts;
}

}  // namespace tare::shims
