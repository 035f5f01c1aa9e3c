#include "text/jinja/parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <unordered_map>

#include "base/python.h"
#include "text/jinja/failure.h"
#include "text/jinja/parse_expression.h"

namespace tare::text::jinja {
namespace {

using Kind = Token::Kind;
using Ends = std::initializer_list<std::string_view>;

class StatementParser {
 public:
  StatementParser(std::vector<Token> tokens, const Options& options)
      : tokens_(std::move(tokens)), expressions_(tokens_), options_(options) {}

  Block run() { return block({}); }

 private:
  using Parse = void (StatementParser::*)(Block&, int line);

  /// Statements up to one of `ends`, which stays the current token.
  Block block(Ends ends) {
    const ExpressionParser::Nesting nesting(expressions_);
    Block body;
    while (!tokens_.at_end()) {
      const int line = tokens_.line();
      if (tokens_.current().is(Kind::data)) {
        output(body, line).pieces.push_back({tokens_.next().text, nullptr});
      } else if (tokens_.current().is(Kind::variable_begin)) {
        tokens_.next();
        output(body, line).pieces.push_back({"", expressions_.tuple()});
        tokens_.expect(Kind::variable_end, "end of print statement");
      } else {
        tokens_.expect(Kind::block_begin, "begin of statement block");
        if (at_one_of(ends)) return body;
        statement(body, ends);
        tokens_.expect(Kind::block_end, "end of statement block");
      }
    }
    if (ends.size() != 0) unclosed(ends);
    return body;
  }

  /// The output statement at the end of `body`, to which text and expressions are added.
  static Output& output(Block& body, int line) {
    if (body.empty() || !std::holds_alternative<Output>(body.back().node))
      body.push_back({Output{}, line});
    return std::get<Output>(body.back().node);
  }

  [[nodiscard]] bool at_one_of(Ends ends) const {
    return std::any_of(ends.begin(), ends.end(),
                       [&](std::string_view end) { return tokens_.current().is_name(end); });
  }

  [[noreturn]] void fail_here(std::string text) const {
    fail_at(tokens_.line(), FailureKind::syntax, std::move(text));
  }

  static std::string list_of(Ends ends) {
    std::string text;
    for (const std::string_view end : ends)
      text += fmt::format("{}'{}'", text.empty() ? "" : " or ", end);
    return text;
  }

  [[noreturn]] void unclosed(Ends ends) const {
    fail_here(
        fmt::format("Unexpected end of template. Jinja was looking for the following tags: {}.",
                    list_of(ends)));
  }

  [[noreturn]] void unknown_tag(const std::string& name, Ends ends) const {
    std::string text = fmt::format("Encountered unknown tag {}.", base::python::repr(name));
    if (ends.size() != 0)
      text += fmt::format(" Jinja was looking for the following tags: {}.", list_of(ends));
    fail_here(std::move(text));
  }

  static const std::unordered_map<std::string_view, Parse>& statements() {
    static const std::unordered_map<std::string_view, Parse> kTable = {
        {"if", &StatementParser::if_statement},
        {"for", &StatementParser::for_statement},
        {"set", &StatementParser::set_statement},
        {"with", &StatementParser::with_statement},
        {"macro", &StatementParser::macro_statement},
        {"call", &StatementParser::call_statement},
        {"filter", &StatementParser::filter_statement},
        {"print", &StatementParser::print_statement},
        {"include", &StatementParser::refused},
        {"import", &StatementParser::refused},
        {"from", &StatementParser::refused},
        {"extends", &StatementParser::refused},
        {"block", &StatementParser::refused},
        {"autoescape", &StatementParser::refused}};
    return kTable;
  }

  /// The tags that transformers adds.
  static const std::unordered_map<std::string_view, Parse>& chat_statements() {
    static const std::unordered_map<std::string_view, Parse> kTable = {
        {"break", &StatementParser::break_statement},
        {"continue", &StatementParser::continue_statement},
        {"generation", &StatementParser::generation_statement}};
    return kTable;
  }

  void statement(Block& body, Ends ends) {
    const int line = tokens_.line();
    if (!tokens_.current().is(Kind::name)) fail_here("tag name expected");
    const std::string name = tokens_.current().text;
    auto found = statements().find(name);
    bool known = found != statements().end();
    if (!known && options_.chat) {
      found = chat_statements().find(name);
      known = found != chat_statements().end();
    }
    if (!known) unknown_tag(name, ends);
    tag_ = tokens_.next().text;
    (this->*found->second)(body, line);
  }

  void refused(Block&, int line) {
    fail_at(line, FailureKind::unsupported,
            fmt::format("the tag '{}' is not built in: a task's templates stand alone and print "
                        "plain text",
                        tag_));
  }

  // Bodies.

  /// What follows the head of a tag: its end, then statements up to one of `ends`.
  Block body_until(Ends ends) {
    tokens_.skip_symbol(":");
    tokens_.expect(Kind::block_end, "end of statement block");
    return block(ends);
  }

  /// As body_until, and moves past the end name.
  Block body_through(std::string_view end) {
    Block body = body_until({end});
    tokens_.next();
    return body;
  }

  void if_statement(Block& body, int line) {
    If node;
    while (true) {
      ExprPtr test = expressions_.tuple({.with_conditional = false});
      node.branches.push_back({std::move(test), body_until({"elif", "else", "endif"})});
      const std::string end = tokens_.next().text;
      if (end == "elif") continue;
      if (end == "else") node.otherwise = body_through("endif");
      break;
    }
    body.push_back({std::move(node), line});
  }

  void for_statement(Block& body, int line) {
    For node;
    node.target = expressions_.target();
    tokens_.expect_name("in");
    node.iterable = expressions_.tuple({.with_conditional = false});
    if (tokens_.skip_name("if")) {
      node.test = expressions_.expression();
      node.test_target = node.target;
    }
    node.recursive = tokens_.skip_name("recursive");
    ++loops_;
    node.body = body_until({"endfor", "else"});
    --loops_;
    if (tokens_.next().text == "else") node.otherwise = body_through("endfor");
    body.push_back({std::move(node), line});
  }

  void set_statement(Block& body, int line) {
    Target target = expressions_.target(true);
    if (tokens_.skip_symbol("=")) {
      body.push_back({Set{std::move(target), expressions_.tuple()}, line});
      return;
    }
    ExprPtr filter = expressions_.filters(nullptr);
    body.push_back(
        {SetBlock{std::move(target), std::move(filter), body_through("endset"), {}}, line});
  }

  void with_statement(Block& body, int line) {
    With node;
    while (!tokens_.current().is(Kind::block_end)) {
      if (!node.assignments.empty()) tokens_.expect_symbol(",");
      Target target = expressions_.target();
      tokens_.expect_symbol("=");
      node.assignments.emplace_back(std::move(target), expressions_.expression());
    }
    node.body = body_through("endwith");
    body.push_back({std::move(node), line});
  }

  std::vector<MacroBody::Parameter> signature() {
    std::vector<MacroBody::Parameter> parameters;
    tokens_.expect_symbol("(");
    while (!tokens_.current().is_symbol(")")) {
      if (!parameters.empty()) tokens_.expect_symbol(",");
      MacroBody::Parameter parameter{expressions_.target_name(), {}, nullptr};
      for (const auto& other : parameters)
        if (other.name == parameter.name)
          fail_here(fmt::format("duplicate argument '{}' in function definition", other.name));
      if (tokens_.skip_symbol("="))
        parameter.otherwise = expressions_.expression();
      else if (!parameters.empty() && parameters.back().otherwise != nullptr)
        fail_here("non-default argument follows default argument");
      parameters.push_back(std::move(parameter));
    }
    tokens_.expect_symbol(")");
    return parameters;
  }

  /// A body that is a function of its own: a loop around it cannot be left from inside.
  Block function_body(std::string_view end) {
    const int loops = std::exchange(loops_, 0);
    Block body = body_through(end);
    loops_ = loops;
    return body;
  }

  void macro_statement(Block& body, int line) {
    MacroStmt node;
    node.body.name = expressions_.target_name();
    node.body.parameters = signature();
    node.body.body = function_body("endmacro");
    body.push_back({std::move(node), line});
  }

  void call_statement(Block& body, int line) {
    CallBlock node;
    if (tokens_.current().is_symbol("(")) node.body.parameters = signature();
    node.call = expressions_.expression();
    if (!std::holds_alternative<CallExpr>(node.call->node))
      fail_at(line, FailureKind::syntax, "expected call");
    node.body.body = function_body("endcall");
    body.push_back({std::move(node), line});
  }

  void generation_statement(Block& body, int line) {
    CallBlock node;
    node.body.body = function_body("endgeneration");
    body.push_back({std::move(node), line});
  }

  void filter_statement(Block& body, int line) {
    FilterBlock node;
    node.filter = expressions_.filters(nullptr, true);
    node.body = body_through("endfilter");
    body.push_back({std::move(node), line});
  }

  void print_statement(Block& body, int line) {
    Output node;
    while (!tokens_.current().is(Kind::block_end)) {
      if (!node.pieces.empty()) tokens_.expect_symbol(",");
      node.pieces.push_back({"", expressions_.expression()});
    }
    body.push_back({std::move(node), line});
  }

  void require_loop() const {
    if (loops_ == 0) fail_here(fmt::format("'{}' outside loop", tag_));
  }

  void break_statement(Block& body, int line) {
    require_loop();
    body.push_back({Break{}, line});
  }

  void continue_statement(Block& body, int line) {
    require_loop();
    body.push_back({Continue{}, line});
  }

  TokenStream tokens_;
  ExpressionParser expressions_;
  const Options& options_;
  std::string tag_;  ///< the tag whose statement is being parsed
  int loops_ = 0;    ///< loops around the current statement, within its function
};

}  // namespace

std::shared_ptr<const Program> parse_program(std::string_view source, Options options) {
  auto program = std::make_shared<Program>();
  program->source = source;
  program->options = std::move(options);
  const std::string text = normalize_source(source, program->options);
  program->body = StatementParser(tokenize(text, program->options), program->options).run();
  bind(*program);
  return program;
}

}  // namespace tare::text::jinja
