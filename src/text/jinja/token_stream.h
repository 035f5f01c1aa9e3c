#pragma once

#include <algorithm>
#include <string_view>
#include <vector>

#include "text/jinja/lexer.h"

namespace tare::text::jinja {

/// The tokens of a template with a current position.
class TokenStream {
 public:
  explicit TokenStream(std::vector<Token> tokens) : tokens_(std::move(tokens)) {}

  [[nodiscard]] const Token& current() const { return tokens_[pos_]; }
  /// The token after the current one.
  [[nodiscard]] const Token& look() const {
    return tokens_[std::min(pos_ + 1, tokens_.size() - 1)];
  }
  [[nodiscard]] bool at_end() const { return current().is(Token::Kind::end); }
  [[nodiscard]] int line() const { return current().line; }

  /// The current token, and moves on.
  const Token& next() {
    const Token& token = current();
    if (!at_end()) ++pos_;
    return token;
  }
  bool skip_symbol(std::string_view symbol) { return skip_if(current().is_symbol(symbol)); }
  bool skip_name(std::string_view name) { return skip_if(current().is_name(name)); }

  /// Each raises TemplateSyntaxError if the current token is another.
  const Token& expect(Token::Kind kind, std::string_view what);
  void expect_symbol(std::string_view symbol);
  void expect_name(std::string_view name);
  const Token& expect_any_name() { return expect(Token::Kind::name, "name"); }

 private:
  bool skip_if(bool matches) {
    if (matches) next();
    return matches;
  }
  [[noreturn]] void unexpected(std::string_view wanted) const;

  std::vector<Token> tokens_;
  std::size_t pos_ = 0;
};

}  // namespace tare::text::jinja
