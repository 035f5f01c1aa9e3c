#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "text/jinja/ast.h"
#include "text/jinja/ast_walk.h"
#include "text/jinja/token_stream.h"

namespace tare::text::jinja {

/// true, false, none and their capitalized forms: never names.
bool is_constant_name(std::string_view name);

/// How far a tuple without parentheses reaches, and what its items may be.
struct TupleRules {
  bool with_conditional = true;  ///< items may be `a if b else c`
  bool parenthesized = false;    ///< the tuple may be empty
};

/// Parses expressions, with Jinja2's precedence, which differs from Python's in places: `-x|f` is
/// `(-x)|f`, `a ** b ** c` groups from the left, `~` binds tighter than `+`.
class ExpressionParser {
 public:
  explicit ExpressionParser(TokenStream& tokens) : tokens_(tokens) {}

  ExprPtr expression(bool with_conditional = true);
  ExprPtr tuple(const TupleRules& rules = {});
  /// `|name(args)|name2`, applied to `input`; with `start_inline` the first bar is left out.
  ExprPtr filters(ExprPtr input, bool start_inline = false);

  Target target(bool with_namespace = false);
  /// A plain name to assign to.
  std::string target_name();

  /// Counts nested statements and expressions; raises when there are too many.
  class Nesting {
   public:
    explicit Nesting(ExpressionParser& parser) : parser_(parser) {
      if (++parser_.nesting_ > kMaxNesting) parser_.too_nested();
    }
    ~Nesting() { --parser_.nesting_; }
    Nesting(const Nesting&) = delete;
    Nesting& operator=(const Nesting&) = delete;

   private:
    ExpressionParser& parser_;
  };

 private:
  static constexpr int kMaxNesting = 150;
  static constexpr int kMaxDepth = 400;

  template <class Node>
  ExprPtr make(Node node, int line);
  [[noreturn]] void too_nested() const;
  [[noreturn]] void fail_here(std::string text) const;

  ExprPtr conditional();
  ExprPtr logical_or();
  ExprPtr logical_and();
  ExprPtr logical_not();
  ExprPtr comparison();
  ExprPtr sum();
  ExprPtr concat();
  ExprPtr product();
  ExprPtr power();
  ExprPtr unary(bool with_filter = true);
  ExprPtr primary();
  ExprPtr name_or_constant();
  ExprPtr string_literal();
  ExprPtr list();
  ExprPtr dict();
  ExprPtr postfix(ExprPtr node);
  ExprPtr filters_and_tests(ExprPtr node);
  ExprPtr attribute(ExprPtr object);
  ExprPtr subscript(ExprPtr object);
  ExprPtr slice(ExprPtr object, ExprPtr start, int line);
  ExprPtr call(ExprPtr callee);
  ExprPtr test(ExprPtr input);
  CallArguments arguments();
  void argument(CallArguments& arguments, int line);
  std::string dotted_name();
  template <class Parse>
  std::vector<ExprPtr> items(std::string_view close, Parse parse);
  std::vector<Target> target_items(bool with_namespace, bool& is_tuple);
  Target simple_target(bool with_namespace);
  [[nodiscard]] bool tuple_ends() const;

  TokenStream& tokens_;
  int nesting_ = 0;
};

template <class Node>
ExprPtr ExpressionParser::make(Node node, int line) {
  auto expr = std::make_unique<Expr>(Expr{std::move(node), line, 0});
  int deepest = 0;
  for_each_child(*expr, [&](ExprPtr& child) { deepest = std::max(deepest, child->depth); });
  expr->depth = deepest + 1;
  if (expr->depth > kMaxDepth) too_nested();
  return expr;
}

}  // namespace tare::text::jinja
