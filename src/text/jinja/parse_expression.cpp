#include "text/jinja/parse_expression.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "text/jinja/failure.h"

namespace tare::text::jinja {
namespace {

using Kind = Token::Kind;

template <class Op, std::size_t N>
const Op* operator_of(const Token& token,
                      const std::array<std::pair<std::string_view, Op>, N>& table) {
  for (const auto& [symbol, op] : table)
    if (token.is_symbol(symbol)) return &op;
  return nullptr;
}

constexpr std::array<std::pair<std::string_view, CompareOp>, 6> kComparisons = {
    {{"==", CompareOp::equal},
     {"!=", CompareOp::not_equal},
     {"<", CompareOp::less},
     {"<=", CompareOp::less_equal},
     {">", CompareOp::greater},
     {">=", CompareOp::greater_equal}}};
constexpr std::array<std::pair<std::string_view, BinaryOp>, 2> kSums = {
    {{"+", BinaryOp::add}, {"-", BinaryOp::subtract}}};
constexpr std::array<std::pair<std::string_view, BinaryOp>, 4> kProducts = {
    {{"*", BinaryOp::multiply},
     {"/", BinaryOp::divide},
     {"//", BinaryOp::floor_divide},
     {"%", BinaryOp::modulo}}};

}  // namespace

void ExpressionParser::too_nested() const {
  fail_here("the template nests expressions or blocks too deep");
}

void ExpressionParser::fail_here(std::string text) const {
  fail_at(tokens_.line(), FailureKind::syntax, std::move(text));
}

ExprPtr ExpressionParser::expression(bool with_conditional) {
  const Nesting nesting(*this);
  return with_conditional ? conditional() : logical_or();
}

ExprPtr ExpressionParser::conditional() {
  const Nesting nesting(*this);
  const int line = tokens_.line();
  ExprPtr expr = logical_or();
  while (tokens_.skip_name("if")) {
    ExprPtr test = logical_or();
    ExprPtr otherwise = tokens_.skip_name("else") ? conditional() : nullptr;
    expr = make(Conditional{std::move(test), std::move(expr), std::move(otherwise), line}, line);
  }
  return expr;
}

ExprPtr ExpressionParser::logical_or() {
  const int line = tokens_.line();
  ExprPtr left = logical_and();
  while (tokens_.skip_name("or")) {
    ExprPtr right = logical_and();
    left = make(Logic{true, std::move(left), std::move(right)}, line);
  }
  return left;
}

ExprPtr ExpressionParser::logical_and() {
  const int line = tokens_.line();
  ExprPtr left = logical_not();
  while (tokens_.skip_name("and")) {
    ExprPtr right = logical_not();
    left = make(Logic{false, std::move(left), std::move(right)}, line);
  }
  return left;
}

ExprPtr ExpressionParser::logical_not() {
  const Nesting nesting(*this);
  const int line = tokens_.line();
  if (tokens_.skip_name("not")) return make(Not{logical_not()}, line);
  return comparison();
}

ExprPtr ExpressionParser::comparison() {
  const int line = tokens_.line();
  ExprPtr first = sum();
  std::vector<Comparison::Link> links;
  while (true) {
    CompareOp op = CompareOp::in;
    if (const CompareOp* symbol = operator_of(tokens_.current(), kComparisons)) {
      op = *symbol;
    } else if (tokens_.current().is_name("not") && tokens_.look().is_name("in")) {
      op = CompareOp::not_in;
      tokens_.next();
    } else if (!tokens_.current().is_name("in")) {
      break;
    }
    tokens_.next();
    links.push_back({op, sum()});
  }
  if (links.empty()) return first;
  return make(Comparison{std::move(first), std::move(links)}, line);
}

ExprPtr ExpressionParser::sum() {
  const int line = tokens_.line();
  ExprPtr left = concat();
  while (const BinaryOp* op = operator_of(tokens_.current(), kSums)) {
    tokens_.next();
    ExprPtr right = concat();
    left = make(Binary{*op, std::move(left), std::move(right)}, line);
  }
  return left;
}

ExprPtr ExpressionParser::concat() {
  const int line = tokens_.line();
  std::vector<ExprPtr> parts;
  parts.push_back(product());
  while (tokens_.skip_symbol("~")) parts.push_back(product());
  if (parts.size() == 1) return std::move(parts.front());
  return make(Concat{std::move(parts)}, line);
}

ExprPtr ExpressionParser::product() {
  const int line = tokens_.line();
  ExprPtr left = power();
  while (const BinaryOp* op = operator_of(tokens_.current(), kProducts)) {
    tokens_.next();
    ExprPtr right = power();
    left = make(Binary{*op, std::move(left), std::move(right)}, line);
  }
  return left;
}

ExprPtr ExpressionParser::power() {
  const int line = tokens_.line();
  ExprPtr left = unary();
  while (tokens_.skip_symbol("**")) {
    ExprPtr right = unary();
    left = make(Binary{BinaryOp::power, std::move(left), std::move(right)}, line);
  }
  return left;
}

ExprPtr ExpressionParser::unary(bool with_filter) {
  const Nesting nesting(*this);
  const int line = tokens_.line();
  ExprPtr node;
  if (tokens_.skip_symbol("-"))
    node = make(Unary{UnaryOp::negative, unary(false)}, line);
  else if (tokens_.skip_symbol("+"))
    node = make(Unary{UnaryOp::positive, unary(false)}, line);
  else
    node = primary();
  node = postfix(std::move(node));
  return with_filter ? filters_and_tests(std::move(node)) : std::move(node);
}

ExprPtr ExpressionParser::primary() {
  const Token& token = tokens_.current();
  if (token.is(Kind::name)) return name_or_constant();
  if (token.is(Kind::string)) return string_literal();
  if (token.is(Kind::integer) || token.is(Kind::real)) {
    const int line = token.line;
    return make(Literal{tokens_.next().number}, line);
  }
  if (token.is_symbol("[")) return list();
  if (token.is_symbol("{")) return dict();
  if (!token.is_symbol("(")) fail_here(fmt::format("unexpected '{}'", describe(token)));
  tokens_.next();
  ExprPtr inner = tuple({.parenthesized = true});
  tokens_.expect_symbol(")");
  return inner;
}

ExprPtr ExpressionParser::name_or_constant() {
  const Token& token = tokens_.next();
  if (!is_constant_name(token.text)) return make(Name{token.text, {}}, token.line);
  const bool is_none = token.text == "none" || token.text == "None";
  const bool is_true = token.text == "true" || token.text == "True";
  return make(Literal{is_none ? Value::none() : Value(is_true)}, token.line);
}

ExprPtr ExpressionParser::string_literal() {
  const int line = tokens_.line();
  std::string text;
  while (tokens_.current().is(Kind::string)) text += tokens_.next().text;
  return make(Literal{Value::text(std::make_shared<const std::string>(std::move(text)))}, line);
}

template <class Parse>
std::vector<ExprPtr> ExpressionParser::items(std::string_view close, Parse parse) {
  std::vector<ExprPtr> found;
  while (!tokens_.current().is_symbol(close)) {
    if (!found.empty()) tokens_.expect_symbol(",");
    if (tokens_.current().is_symbol(close)) break;
    found.push_back(parse());
  }
  tokens_.expect_symbol(close);
  return found;
}

ExprPtr ExpressionParser::list() {
  const int line = tokens_.next().line;
  return make(Sequence{false, items("]", [this] { return expression(); })}, line);
}

ExprPtr ExpressionParser::dict() {
  const int line = tokens_.next().line;
  DictLiteral dict;
  while (!tokens_.current().is_symbol("}")) {
    if (!dict.entries.empty()) tokens_.expect_symbol(",");
    if (tokens_.current().is_symbol("}")) break;
    ExprPtr key = expression();
    tokens_.expect_symbol(":");
    dict.entries.emplace_back(std::move(key), expression());
  }
  tokens_.expect_symbol("}");
  return make(std::move(dict), line);
}

bool ExpressionParser::tuple_ends() const {
  const Token& token = tokens_.current();
  return token.is(Kind::variable_end) || token.is(Kind::block_end) || token.is_symbol(")");
}

ExprPtr ExpressionParser::tuple(const TupleRules& rules) {
  const Nesting nesting(*this);
  const int line = tokens_.line();
  std::vector<ExprPtr> parts;
  bool is_tuple = false;
  while (!tuple_ends()) {
    parts.push_back(expression(rules.with_conditional));
    if (!tokens_.skip_symbol(",")) break;
    is_tuple = true;
  }
  if (!is_tuple && parts.size() == 1) return std::move(parts.front());
  if (!is_tuple && !rules.parenthesized)
    fail_here(fmt::format("Expected an expression, got '{}'", describe(tokens_.current())));
  return make(Sequence{true, std::move(parts)}, line);
}

}  // namespace tare::text::jinja
