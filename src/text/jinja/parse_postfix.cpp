#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "text/jinja/failure.h"
#include "text/jinja/parse_expression.h"

/// What follows an operand: attributes, subscripts, calls, filters, tests; and targets.
namespace tare::text::jinja {

using Kind = Token::Kind;

bool is_constant_name(std::string_view name) {
  static constexpr std::array<std::string_view, 6> kNames = {"true", "false", "none",
                                                             "True", "False", "None"};
  return std::find(kNames.begin(), kNames.end(), name) != kNames.end();
}

ExprPtr ExpressionParser::postfix(ExprPtr node) {
  while (true) {
    if (tokens_.current().is_symbol("."))
      node = attribute(std::move(node));
    else if (tokens_.current().is_symbol("["))
      node = subscript(std::move(node));
    else if (tokens_.current().is_symbol("("))
      node = call(std::move(node));
    else
      return node;
  }
}

ExprPtr ExpressionParser::filters_and_tests(ExprPtr node) {
  while (true) {
    if (tokens_.current().is_symbol("|"))
      node = filters(std::move(node));
    else if (tokens_.current().is_name("is"))
      node = test(std::move(node));
    else if (tokens_.current().is_symbol("("))
      node = call(std::move(node));
    else
      return node;
  }
}

ExprPtr ExpressionParser::attribute(ExprPtr object) {
  const int line = tokens_.next().line;
  const Token& token = tokens_.next();
  if (token.is(Kind::name)) {
    Value name = Value::text(std::make_shared<const std::string>(token.text));
    return make(GetAttribute{std::move(object), std::move(name), methods_named(token.text)}, line);
  }
  if (!token.is(Kind::integer)) fail_at(token.line, FailureKind::syntax, "expected name or number");
  return make(GetItem{std::move(object), make(Literal{token.number}, token.line)}, line);
}

ExprPtr ExpressionParser::subscript(ExprPtr object) {
  const int line = tokens_.next().line;
  if (tokens_.current().is_symbol(":")) return slice(std::move(object), nullptr, line);
  std::vector<ExprPtr> parts;
  while (!tokens_.current().is_symbol("]")) {
    if (!parts.empty()) tokens_.expect_symbol(",");
    parts.push_back(expression());
    if (tokens_.current().is_symbol(":") && parts.size() == 1)
      return slice(std::move(object), std::move(parts.front()), line);
  }
  tokens_.expect_symbol("]");
  ExprPtr index =
      parts.size() == 1 ? std::move(parts.front()) : make(Sequence{true, std::move(parts)}, line);
  return make(GetItem{std::move(object), std::move(index)}, line);
}

/// The rest of `object[start:stop:step]`, from the first colon.
ExprPtr ExpressionParser::slice(ExprPtr object, ExprPtr start, int line) {
  auto bound = [this]() -> ExprPtr {
    const bool absent = tokens_.current().is_symbol(":") || tokens_.current().is_symbol("]");
    return absent ? nullptr : expression();
  };
  tokens_.expect_symbol(":");
  ExprPtr stop = bound();
  ExprPtr step = tokens_.skip_symbol(":") ? bound() : nullptr;
  tokens_.expect_symbol("]");
  return make(GetSlice{std::move(object), std::move(start), std::move(stop), std::move(step)},
              line);
}

ExprPtr ExpressionParser::call(ExprPtr callee) {
  const int line = tokens_.line();
  return make(CallExpr{std::move(callee), arguments()}, line);
}

CallArguments ExpressionParser::arguments() {
  const int line = tokens_.line();
  tokens_.expect_symbol("(");
  CallArguments found;
  bool first = true;
  while (!tokens_.current().is_symbol(")")) {
    if (!first) tokens_.expect_symbol(",");
    if (tokens_.current().is_symbol(")")) break;
    first = false;
    argument(found, line);
  }
  tokens_.expect_symbol(")");
  return found;
}

void ExpressionParser::argument(CallArguments& found, int line) {
  auto ensure = [line](bool valid) {
    if (!valid) fail_at(line, FailureKind::syntax, "invalid syntax for function call expression");
  };
  if (tokens_.skip_symbol("*")) {
    ensure(found.star == nullptr && found.double_star == nullptr);
    found.star = expression();
  } else if (tokens_.skip_symbol("**")) {
    ensure(found.double_star == nullptr);
    found.double_star = expression();
  } else if (tokens_.current().is(Kind::name) && tokens_.look().is_symbol("=")) {
    ensure(found.double_star == nullptr);
    const std::string name = tokens_.next().text;
    tokens_.next();
    for (const auto& [other, value] : found.named)
      if (other == name) fail_here(fmt::format("keyword argument repeated: {}", name));
    found.named.emplace_back(name, expression());
  } else {
    ensure(found.star == nullptr && found.double_star == nullptr && found.named.empty());
    found.positional.push_back(expression());
  }
}

std::string ExpressionParser::dotted_name() {
  std::string name = tokens_.expect_any_name().text;
  while (tokens_.skip_symbol(".")) name += "." + tokens_.expect_any_name().text;
  return name;
}

ExprPtr ExpressionParser::filters(ExprPtr input, bool start_inline) {
  while (start_inline || tokens_.skip_symbol("|")) {
    start_inline = false;
    const int line = tokens_.line();
    FilterExpr filter{std::move(input), dotted_name(), {}};
    if (tokens_.current().is_symbol("(")) filter.arguments = arguments();
    input = make(std::move(filter), line);
  }
  return input;
}

ExprPtr ExpressionParser::test(ExprPtr input) {
  const int line = tokens_.next().line;
  const bool negated = tokens_.skip_name("not");
  TestExpr test{std::move(input), dotted_name(), {}};
  const Token& token = tokens_.current();
  const bool operand_follows =
      (token.is(Kind::name) && token.text != "else" && token.text != "or" && token.text != "and") ||
      token.is(Kind::string) || token.is(Kind::integer) || token.is(Kind::real) ||
      token.is_symbol("[") || token.is_symbol("{");
  if (token.is_symbol("(")) {
    test.arguments = arguments();
  } else if (operand_follows) {
    if (token.is_name("is")) fail_here("You cannot chain multiple tests with is");
    test.arguments.positional.push_back(postfix(primary()));
  }
  ExprPtr expr = make(std::move(test), line);
  return negated ? make(Not{std::move(expr)}, line) : std::move(expr);
}

// Targets of assignments.

Target ExpressionParser::simple_target(bool with_namespace) {
  const Nesting nesting(*this);
  if (tokens_.skip_symbol("(")) {
    bool is_tuple = false;
    std::vector<Target> inner = target_items(false, is_tuple);
    tokens_.expect_symbol(")");
    if (!is_tuple && inner.size() == 1) return std::move(inner.front());
    return Target{Target::Kind::tuple, {}, {}, {}, std::move(inner)};
  }
  if (!tokens_.current().is(Kind::name) || is_constant_name(tokens_.current().text))
    fail_here(fmt::format("can't assign to '{}'", describe(tokens_.current())));
  Target target{Target::Kind::name, tokens_.next().text, {}, {}, {}};
  if (with_namespace && tokens_.skip_symbol(".")) {
    target.kind = Target::Kind::attribute;
    target.attribute = tokens_.expect_any_name().text;
  }
  return target;
}

std::vector<Target> ExpressionParser::target_items(bool with_namespace, bool& is_tuple) {
  std::vector<Target> found;
  while (!tuple_ends()) {
    found.push_back(simple_target(with_namespace));
    if (!tokens_.skip_symbol(",")) break;
    is_tuple = true;
  }
  return found;
}

Target ExpressionParser::target(bool with_namespace) {
  bool is_tuple = false;
  std::vector<Target> found = target_items(with_namespace, is_tuple);
  if (!is_tuple && found.size() == 1) return std::move(found.front());
  if (!is_tuple)
    fail_here(fmt::format("Expected an expression, got '{}'", describe(tokens_.current())));
  return Target{Target::Kind::tuple, {}, {}, {}, std::move(found)};
}

std::string ExpressionParser::target_name() {
  const Token& token = tokens_.expect_any_name();
  if (is_constant_name(token.text))
    fail_at(token.line, FailureKind::syntax, fmt::format("can't assign to '{}'", token.text));
  return token.text;
}

}  // namespace tare::text::jinja
