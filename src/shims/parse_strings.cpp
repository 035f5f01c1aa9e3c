#include <fmt/format.h>

#include "base/python.h"
#include "shims/parser.h"
#include "text/jinja/failure.h"

namespace tare::shims {
namespace {

using text::jinja::fail_at;
using text::jinja::FailureKind;

/// Reads a text with the escapes of a string that is written in `like`.
std::string decode(std::string_view body, const StringParts& like, int line) {
  if (like.raw || body.find('\\') == std::string_view::npos) {
    std::string plain;
    for (std::size_t i = 0; i < body.size(); ++i)  // line ends in a source are \n
      if (body[i] != '\r')
        plain += body[i];
      else if (i + 1 >= body.size() || body[i + 1] != '\n')
        plain += '\n';
    return plain;
  }
  const auto value = base::python::parse_literal(fmt::format("{0}{1}{0}", like.quote, body));
  if (!value || !value->is_string())
    fail_at(line, FailureKind::unsupported, value ? std::string("no string") : value.error().text);
  return value->as_string();
}

/// Splits the body of an f-string into texts and replacement fields.
class FieldReader {
 public:
  FieldReader(std::string_view body, const StringParts& like, int line, int depth = 0)
      : body_(body), like_(like), line_(line), depth_(depth) {}

  void read(FormattedText& into) {
    while (at_ < body_.size()) {
      if (body_[at_] == '{' && peek(1) != '{') {
        flush(into);
        ++at_;
        into.pieces.push_back(field());
      } else {
        const bool doubled = (body_[at_] == '{' || body_[at_] == '}') && peek(1) == body_[at_];
        const bool escaped = body_[at_] == '\\' && !like_.raw && at_ + 1 < body_.size();
        text_ += body_[at_];
        if (escaped) text_ += body_[at_ + 1];
        at_ += doubled || escaped ? 2 : 1;
      }
    }
    flush(into);
  }

 private:
  [[nodiscard]] char peek(std::size_t ahead) const {
    return at_ + ahead < body_.size() ? body_[at_ + ahead] : '\0';
  }

  void flush(FormattedText& into) {
    if (text_.empty()) return;
    FormattedText::Piece piece;
    piece.text = decode(text_, like_, line_);
    into.pieces.push_back(std::move(piece));
    text_.clear();
  }

  FormattedText::Piece field() {
    FormattedText::Piece piece;
    piece.value = expression(expression_text());
    if (peek(0) == '!') {
      piece.conversion = peek(1);
      at_ += 2;
    }
    if (peek(0) == ':') {
      ++at_;
      piece.format = format();
    }
    if (peek(0) != '}') fail_at(line_, FailureKind::syntax, "f-string: expecting '}'");
    ++at_;
    return piece;
  }

  /// Up to the !, : or } that ends the expression.
  std::string_view expression_text() {
    const std::size_t start = at_;
    int depth = 0;
    char quote = '\0';
    for (; at_ < body_.size(); ++at_) {
      const char c = body_[at_];
      if (quote != '\0') {
        if (c == quote) quote = '\0';
      } else if (c == '"' || c == '\'') {
        quote = c;
      } else if (c == '(' || c == '[' || c == '{') {
        ++depth;
      } else if (depth > 0 && (c == ')' || c == ']' || c == '}')) {
        --depth;
      } else if (depth == 0 && (c == '}' || c == ':' || (c == '!' && peek(1) != '='))) {
        break;
      }
    }
    return body_.substr(start, at_ - start);
  }

  ExprPtr expression(std::string_view source) const {
    if (source.ends_with('='))
      fail_at(line_, FailureKind::unsupported, "f-string: {x=} is not built in");
    TokenStream tokens(tokenize(fmt::format("({})", source)));
    ExprPtr value = parse_expressions(tokens);
    tokens.expect(Token::Kind::newline);
    return value;
  }

  /// The format after the colon, up to the brace that ends the field.
  ExprPtr format() {
    if (depth_ > 1) fail_at(line_, FailureKind::syntax, "f-string: expressions nested too deeply");
    const std::size_t start = at_;
    for (int depth = 0; at_ < body_.size(); ++at_) {
      if (body_[at_] == '{') ++depth;
      if (body_[at_] == '}' && depth-- == 0) break;
    }
    FormattedText text;
    FieldReader(body_.substr(start, at_ - start), like_, line_, depth_ + 1).read(text);
    return make_expr(std::move(text), line_);
  }

  std::string_view body_;
  const StringParts& like_;
  int line_;
  int depth_;  ///< of formats inside formats
  std::size_t at_ = 0;
  std::string text_;
};

}  // namespace

ExprPtr parse_strings(TokenStream& tokens) {
  FormattedText text;
  const int line = tokens.line();
  bool formatted = false;
  std::string plain;
  while (tokens.at(Token::Kind::string)) {
    const Token token = tokens.take();
    const StringParts parts = string_parts(token.text);
    if (parts.bytes) fail_at(line, FailureKind::unsupported, "bytes are not built in");
    if (parts.formatted) {
      formatted = true;
      FieldReader(parts.body, parts, token.line).read(text);
    } else {
      FormattedText::Piece piece;
      piece.text = decode(parts.body, parts, token.line);
      plain += piece.text;
      text.pieces.push_back(std::move(piece));
    }
  }
  return formatted ? make_expr(std::move(text), line) : make_expr(Literal{std::move(plain)}, line);
}

}  // namespace tare::shims
