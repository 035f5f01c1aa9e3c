#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "shims/syntax.h"
#include "shims/token.h"

namespace tare::shims {

/// Where the parser stands in the tokens of a module.
class TokenStream {
 public:
  explicit TokenStream(std::vector<Token> tokens) : tokens_(std::move(tokens)) {}

  [[nodiscard]] const Token& peek(std::size_t ahead = 0) const {
    return tokens_[std::min(at_ + ahead, tokens_.size() - 1)];
  }
  [[nodiscard]] bool at(Token::Kind kind) const { return peek().kind == kind; }
  /// An operator or a keyword stands here.
  [[nodiscard]] bool at(std::string_view text) const { return is(peek(), text); }
  [[nodiscard]] static bool is(const Token& token, std::string_view text) {
    return (token.kind == Token::Kind::op || token.kind == Token::Kind::name) && token.text == text;
  }
  Token take() { return at_ + 1 < tokens_.size() ? tokens_[at_++] : tokens_.back(); }
  bool accept(std::string_view text);
  bool accept(Token::Kind kind);
  void expect(std::string_view text);
  void expect(Token::Kind kind);
  std::string expect_name();
  [[nodiscard]] int line() const { return peek().line; }
  [[noreturn]] void fail() const;

  [[nodiscard]] std::size_t position() const { return at_; }
  /// One level of brackets, operators or blocks; raises when there are too many.
  class Level {
   public:
    explicit Level(TokenStream& tokens) : tokens_(tokens) {
      if (++tokens.depth_ > kMaxDepth) tokens.fail();
    }
    ~Level() { --tokens_.depth_; }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;

   private:
    TokenStream& tokens_;
  };

  /// Moves to `position`, then past the statement that starts there, with its block if it has one.
  void skip_statement(std::size_t position);

 private:
  std::vector<Token> tokens_;
  std::size_t at_ = 0;
  static constexpr int kMaxDepth = 200;
  int depth_ = 0;
};

/// An expression without commas at its top.
ExprPtr parse_expression(TokenStream& tokens);
/// Expressions with commas: a tuple if there is one.
ExprPtr parse_expressions(TokenStream& tokens);
/// The targets of a for or a comprehension, which end before `in`.
ExprPtr parse_targets(TokenStream& tokens);
/// What stands between the brackets of def, or before the colon of lambda: up to `end`.
Parameters parse_parameters(TokenStream& tokens, std::string_view end);
/// A string token and those that follow it.
ExprPtr parse_strings(TokenStream& tokens);

ExprPtr make_expr(decltype(Expr::node) node, int line);

}  // namespace tare::shims
