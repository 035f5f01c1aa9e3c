#include <algorithm>
#include <array>
#include <utility>

#include "base/number.h"
#include "shims/parser.h"
#include "text/jinja/failure.h"

namespace tare::shims {
namespace {

using text::jinja::FailureKind;

ExprPtr parse_unary(TokenStream& tokens);
ExprPtr parse_or(TokenStream& tokens);

struct Operator {
  std::string_view text;
  BinaryOp op;
  int level;  ///< the higher, the tighter
};
constexpr std::array<Operator, 9> kOperators = {{
    {"|", BinaryOp::bit_or, 0},
    {"^", BinaryOp::bit_xor, 1},
    {"&", BinaryOp::bit_and, 2},
    {"+", BinaryOp::add, 3},
    {"-", BinaryOp::subtract, 3},
    {"*", BinaryOp::multiply, 4},
    {"/", BinaryOp::divide, 4},
    {"//", BinaryOp::floor_divide, 4},
    {"%", BinaryOp::modulo, 4},
}};
constexpr int kTightest = 4;

const Operator* operator_at(const TokenStream& tokens, int level) {
  for (const Operator& o : kOperators)
    if (o.level == level && tokens.at(o.text)) return &o;
  return nullptr;
}

ExprPtr parse_binary(TokenStream& tokens, int level) {
  if (level > kTightest) return parse_unary(tokens);
  ExprPtr left = parse_binary(tokens, level + 1);
  while (const Operator* found = operator_at(tokens, level)) {
    const int line = tokens.take().line;
    ExprPtr right = parse_binary(tokens, level + 1);
    left = make_expr(Binary{found->op, std::move(left), std::move(right)}, line);
  }
  return left;
}

/// The comparison that stands here, taken; false if there is none.
bool take_comparison(TokenStream& tokens, Comparison::Op& op) {
  using Op = Comparison::Op;
  static constexpr std::array<std::pair<std::string_view, Op>, 7> kSimple = {{
      {"==", Op::equal},
      {"!=", Op::not_equal},
      {"<", Op::less},
      {"<=", Op::less_equal},
      {">", Op::greater},
      {">=", Op::greater_equal},
      {"in", Op::in},
  }};
  for (const auto& [text, simple] : kSimple) {
    if (!tokens.accept(text)) continue;
    op = simple;
    return true;
  }
  if (tokens.at("not") && TokenStream::is(tokens.peek(1), "in")) {
    tokens.take();
    tokens.take();
    op = Op::not_in;
    return true;
  }
  if (!tokens.accept("is")) return false;
  op = tokens.accept("not") ? Op::is_not : Op::is;
  return true;
}

ExprPtr parse_comparison(TokenStream& tokens) {
  const int line = tokens.line();
  ExprPtr first = parse_binary(tokens, 0);
  Comparison comparison{nullptr, {}};
  for (Comparison::Op op{}; take_comparison(tokens, op);)
    comparison.links.push_back({op, parse_binary(tokens, 0)});
  if (comparison.links.empty()) return first;
  comparison.first = std::move(first);
  return make_expr(std::move(comparison), line);
}

ExprPtr parse_not(TokenStream& tokens) {
  const TokenStream::Level level(tokens);
  const int line = tokens.line();
  if (!tokens.accept("not")) return parse_comparison(tokens);
  return make_expr(Unary{UnaryOp::logical_not, parse_not(tokens)}, line);
}

ExprPtr parse_and(TokenStream& tokens) {
  ExprPtr left = parse_not(tokens);
  while (tokens.at("and")) {
    const int line = tokens.take().line;
    left = make_expr(Logic{false, std::move(left), parse_not(tokens)}, line);
  }
  return left;
}

ExprPtr parse_or(TokenStream& tokens) {
  ExprPtr left = parse_and(tokens);
  while (tokens.at("or")) {
    const int line = tokens.take().line;
    left = make_expr(Logic{true, std::move(left), parse_and(tokens)}, line);
  }
  return left;
}

ExprPtr parse_lambda(TokenStream& tokens) {
  const int line = tokens.line();
  tokens.expect("lambda");
  auto code = std::make_shared<FunctionCode>();
  code->name = "<lambda>";
  code->parameters = parse_parameters(tokens, ":");
  tokens.expect(":");
  code->result = parse_expression(tokens);
  return make_expr(Lambda{std::move(code)}, line);
}

/// An item of a display or an argument: *x, or an expression.
ExprPtr parse_item(TokenStream& tokens) {
  const int line = tokens.line();
  if (!tokens.accept("*")) return parse_expression(tokens);
  return make_expr(Starred{parse_binary(tokens, 0)}, line);
}

std::vector<Comprehension::Clause> parse_clauses(TokenStream& tokens) {
  std::vector<Comprehension::Clause> clauses;
  while (tokens.accept("for")) {
    Comprehension::Clause clause;
    clause.target = parse_targets(tokens);
    tokens.expect("in");
    clause.iterable = parse_or(tokens);
    while (tokens.accept("if")) clause.conditions.push_back(parse_or(tokens));
    clauses.push_back(std::move(clause));
  }
  return clauses;
}

ExprPtr comprehension(TokenStream& tokens, Comprehension::Kind kind, ExprPtr element,
                      ExprPtr value = nullptr) {
  const int line = tokens.line();
  auto clauses = parse_clauses(tokens);
  return make_expr(Comprehension{kind, std::move(element), std::move(value), std::move(clauses)},
                   line);
}

/// The items up to the closing bracket, after the first one.
std::vector<ExprPtr> parse_items(TokenStream& tokens, ExprPtr first, std::string_view close) {
  std::vector<ExprPtr> items;
  items.push_back(std::move(first));
  while (tokens.accept(",") && !tokens.at(close)) items.push_back(parse_item(tokens));
  return items;
}

ExprPtr parse_parentheses(TokenStream& tokens) {
  const int line = tokens.take().line;
  if (tokens.accept(")")) return make_expr(Display{Display::Kind::tuple, {}}, line);
  ExprPtr first = parse_item(tokens);
  if (tokens.at("for")) {
    first = comprehension(tokens, Comprehension::Kind::generator, std::move(first));
  } else if (tokens.at(",")) {
    auto items = parse_items(tokens, std::move(first), ")");
    first = make_expr(Display{Display::Kind::tuple, std::move(items)}, line);
  }
  tokens.expect(")");
  return first;
}

ExprPtr parse_list(TokenStream& tokens) {
  const int line = tokens.take().line;
  if (tokens.accept("]")) return make_expr(Display{Display::Kind::list, {}}, line);
  ExprPtr first = parse_item(tokens);
  if (tokens.at("for")) {
    first = comprehension(tokens, Comprehension::Kind::list, std::move(first));
  } else {
    auto items = parse_items(tokens, std::move(first), "]");
    first = make_expr(Display{Display::Kind::list, std::move(items)}, line);
  }
  tokens.expect("]");
  return first;
}

void parse_entry(TokenStream& tokens, DictDisplay& dict) {
  if (tokens.accept("**")) {
    dict.entries.emplace_back(nullptr, parse_binary(tokens, 0));
    return;
  }
  ExprPtr key = parse_expression(tokens);
  tokens.expect(":");
  ExprPtr value = parse_expression(tokens);
  dict.entries.emplace_back(std::move(key), std::move(value));
}

ExprPtr parse_set(TokenStream& tokens, ExprPtr first, int line) {
  if (tokens.at("for")) return comprehension(tokens, Comprehension::Kind::set, std::move(first));
  auto items = parse_items(tokens, std::move(first), "}");
  return make_expr(Display{Display::Kind::set, std::move(items)}, line);
}

ExprPtr parse_dict(TokenStream& tokens, ExprPtr first, int line) {
  DictDisplay dict;
  if (first != nullptr) {
    tokens.expect(":");
    ExprPtr value = parse_expression(tokens);
    if (tokens.at("for"))
      return comprehension(tokens, Comprehension::Kind::dict, std::move(first), std::move(value));
    dict.entries.emplace_back(std::move(first), std::move(value));
  } else if (!tokens.at("}")) {
    parse_entry(tokens, dict);
  }
  while (tokens.accept(",") && !tokens.at("}")) parse_entry(tokens, dict);
  return make_expr(std::move(dict), line);
}

ExprPtr parse_braces(TokenStream& tokens) {
  const int line = tokens.take().line;
  ExprPtr first;
  if (!tokens.at("}") && !tokens.at("**")) first = parse_item(tokens);
  const bool is_set = first != nullptr && !tokens.at(":");
  ExprPtr made = is_set ? parse_set(tokens, std::move(first), line)
                        : parse_dict(tokens, std::move(first), line);
  tokens.expect("}");
  return made;
}

ExprPtr parse_number(TokenStream& tokens) {
  const Token token = tokens.take();
  std::string digits;
  for (const char c : token.text)
    if (c != '_') digits += c;
  const bool hex = digits.starts_with("0x") || digits.starts_with("0X");
  if (const auto integer = hex ? base::read_integer(std::string_view(digits).substr(2), 16)
                               : base::read_integer(digits))
    return make_expr(Literal{*integer}, token.line);
  if (const auto real = base::read_real(digits); real && !hex)
    return make_expr(Literal{*real}, token.line);
  text::jinja::fail_at(token.line, FailureKind::syntax, "no number: " + token.text);
}

bool is_keyword(std::string_view name) {
  static constexpr std::array<std::string_view, 32> kKeywords = {
      "and",    "as",   "assert", "async",  "await",  "break",   "class",    "continue",
      "def",    "del",  "elif",   "else",   "except", "finally", "for",      "from",
      "global", "if",   "import", "in",     "is",     "lambda",  "nonlocal", "not",
      "or",     "pass", "raise",  "return", "try",    "while",   "with",     "yield"};
  return std::ranges::find(kKeywords, name) != kKeywords.end();
}

ExprPtr parse_atom(TokenStream& tokens) {
  const Token& token = tokens.peek();
  if (token.kind == Token::Kind::string) return parse_strings(tokens);
  if (token.kind == Token::Kind::number) return parse_number(tokens);
  if (token.kind == Token::Kind::name && !is_keyword(token.text)) {
    const Token name = tokens.take();
    if (name.text == "None") return make_expr(Literal{nullptr}, name.line);
    if (name.text == "True" || name.text == "False")
      return make_expr(Literal{name.text == "True"}, name.line);
    return make_expr(Name{name.text}, name.line);
  }
  if (tokens.at("(")) return parse_parentheses(tokens);
  if (tokens.at("[")) return parse_list(tokens);
  if (tokens.at("{")) return parse_braces(tokens);
  tokens.fail();
}

Argument parse_argument(TokenStream& tokens) {
  if (tokens.accept("**")) return {"", parse_expression(tokens), true};
  if (tokens.at(Token::Kind::name) && TokenStream::is(tokens.peek(1), "=")) {
    std::string name = tokens.take().text;
    tokens.take();
    return {std::move(name), parse_expression(tokens), false};
  }
  ExprPtr value = parse_item(tokens);
  if (tokens.at("for"))
    value = comprehension(tokens, Comprehension::Kind::generator, std::move(value));
  return {"", std::move(value), false};
}

ExprPtr parse_call(TokenStream& tokens, ExprPtr callee) {
  const int line = tokens.take().line;
  CallExpr call{std::move(callee), {}};
  while (!tokens.at(")")) {
    call.arguments.push_back(parse_argument(tokens));
    if (!tokens.accept(",")) break;
  }
  tokens.expect(")");
  return make_expr(std::move(call), line);
}

ExprPtr parse_index(TokenStream& tokens) {
  const int line = tokens.line();
  ExprPtr start;
  if (!tokens.at(":")) start = parse_expressions(tokens);
  if (!tokens.accept(":")) return start;
  Slice slice{std::move(start), nullptr, nullptr};
  if (!tokens.at(":") && !tokens.at("]")) slice.stop = parse_expression(tokens);
  if (tokens.accept(":") && !tokens.at("]")) slice.step = parse_expression(tokens);
  return make_expr(std::move(slice), line);
}

ExprPtr parse_postfix(TokenStream& tokens) {
  ExprPtr value = parse_atom(tokens);
  while (true) {
    const int line = tokens.line();
    if (tokens.at("(")) {
      value = parse_call(tokens, std::move(value));
    } else if (tokens.accept(".")) {
      value = make_expr(Attribute{std::move(value), tokens.expect_name()}, line);
    } else if (tokens.accept("[")) {
      value = make_expr(Subscript{std::move(value), parse_index(tokens)}, line);
      tokens.expect("]");
    } else {
      return value;
    }
  }
}

ExprPtr parse_power(TokenStream& tokens) {
  ExprPtr value = parse_postfix(tokens);
  if (!tokens.at("**")) return value;
  const int line = tokens.take().line;
  return make_expr(Binary{BinaryOp::power, std::move(value), parse_unary(tokens)}, line);
}

ExprPtr parse_unary(TokenStream& tokens) {
  static constexpr std::array<std::pair<std::string_view, UnaryOp>, 3> kOps = {
      {{"-", UnaryOp::negative}, {"+", UnaryOp::positive}, {"~", UnaryOp::invert}}};
  const TokenStream::Level level(tokens);
  const int line = tokens.line();
  for (const auto& [text, op] : kOps)
    if (tokens.accept(text)) return make_expr(Unary{op, parse_unary(tokens)}, line);
  return parse_power(tokens);
}

void parse_parameter(TokenStream& tokens, Parameters& parameters, bool keyword_only,
                     bool annotations) {
  Parameters::Parameter parameter;
  parameter.name = tokens.expect_name();
  parameter.keyword_only = keyword_only;
  if (annotations && tokens.accept(":")) parse_expression(tokens);
  if (tokens.accept("=")) parameter.otherwise = parse_expression(tokens);
  parameters.list.push_back(std::move(parameter));
}

}  // namespace

ExprPtr make_expr(decltype(Expr::node) node, int line) {
  auto expr = std::make_unique<Expr>();
  expr->node = std::move(node);
  expr->line = line;
  return expr;
}

ExprPtr parse_expression(TokenStream& tokens) {
  const TokenStream::Level level(tokens);
  if (tokens.at("lambda")) return parse_lambda(tokens);
  const int line = tokens.line();
  ExprPtr value = parse_or(tokens);
  if (!tokens.accept("if")) return value;
  ExprPtr test = parse_or(tokens);
  tokens.expect("else");
  return make_expr(Conditional{std::move(test), std::move(value), parse_expression(tokens)}, line);
}

ExprPtr parse_expressions(TokenStream& tokens) {
  const int line = tokens.line();
  ExprPtr first = parse_item(tokens);
  if (!tokens.at(",")) return first;
  std::vector<ExprPtr> items;
  items.push_back(std::move(first));
  auto ends = [&] {
    return tokens.at(Token::Kind::newline) || tokens.at("=") || tokens.at(")") || tokens.at("]") ||
           tokens.at(":");
  };
  while (tokens.accept(",") && !ends()) items.push_back(parse_item(tokens));
  return make_expr(Display{Display::Kind::tuple, std::move(items)}, line);
}

ExprPtr parse_targets(TokenStream& tokens) {
  const int line = tokens.line();
  auto one = [&] {
    const int at = tokens.line();
    if (tokens.accept("*")) return make_expr(Starred{parse_postfix(tokens)}, at);
    return parse_postfix(tokens);
  };
  ExprPtr first = one();
  if (!tokens.at(",")) return first;
  std::vector<ExprPtr> items;
  items.push_back(std::move(first));
  while (tokens.accept(",") && !tokens.at("in")) items.push_back(one());
  return make_expr(Display{Display::Kind::tuple, std::move(items)}, line);
}

Parameters parse_parameters(TokenStream& tokens, std::string_view end) {
  Parameters parameters;
  const bool annotations = end == ")";
  bool keyword_only = false;
  while (!tokens.at(end)) {
    if (tokens.accept("**")) {
      parameters.double_star = tokens.expect_name();
      if (annotations && tokens.accept(":")) parse_expression(tokens);
    } else if (tokens.accept("*")) {
      keyword_only = true;
      if (!tokens.at(",")) {
        parameters.star = tokens.expect_name();
        if (annotations && tokens.accept(":")) parse_expression(tokens);
      }
    } else if (!tokens.accept("/")) {
      parse_parameter(tokens, parameters, keyword_only, annotations);
    }
    if (!tokens.accept(",")) break;
  }
  return parameters;
}

}  // namespace tare::shims
