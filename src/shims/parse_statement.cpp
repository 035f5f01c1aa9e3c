#include <fmt/format.h>

#include <array>
#include <utility>

#include "shims/parser.h"
#include "text/jinja/failure.h"

namespace tare::shims {
namespace {

using text::jinja::FailureKind;

Block parse_block(TokenStream& tokens);
void parse_statement(TokenStream& tokens, Block& into);

void add(Block& into, decltype(Stmt::node) node, int line) {
  Stmt statement;
  statement.node = std::move(node);
  statement.line = line;
  into.push_back(std::move(statement));
}

// Simple statements.

constexpr std::array<std::pair<std::string_view, BinaryOp>, 9> kAugmented = {{
    {"+=", BinaryOp::add},
    {"-=", BinaryOp::subtract},
    {"*=", BinaryOp::multiply},
    {"/=", BinaryOp::divide},
    {"//=", BinaryOp::floor_divide},
    {"%=", BinaryOp::modulo},
    {"|=", BinaryOp::bit_or},
    {"&=", BinaryOp::bit_and},
    {"**=", BinaryOp::power},
}};

/// An assignment of any kind, or an expression alone.
void parse_assignment(TokenStream& tokens, Block& into) {
  const int line = tokens.line();
  ExprPtr first = parse_expressions(tokens);
  for (const auto& [text, op] : kAugmented)
    if (tokens.accept(text))
      return add(into, AugmentedAssign{std::move(first), op, parse_expressions(tokens)}, line);
  if (tokens.accept(":")) {
    parse_expression(tokens);  // the annotation
    if (!tokens.at("=")) return add(into, Pass{}, line);
  }
  if (!tokens.at("=")) return add(into, Evaluate{std::move(first)}, line);
  Assign assign;
  while (tokens.accept("=")) {
    assign.targets.push_back(std::move(first));
    first = parse_expressions(tokens);
  }
  assign.value = std::move(first);
  add(into, std::move(assign), line);
}

std::string dotted_name(TokenStream& tokens) {
  std::string name;
  while (tokens.at(".") || tokens.at("...")) name += tokens.take().text;  // of a relative import
  if (tokens.at("import")) return name;
  name += tokens.expect_name();
  while (tokens.accept(".")) name += "." + tokens.expect_name();
  return name;
}

void parse_import(TokenStream& tokens, Block& into) {
  const int line = tokens.take().line;
  do {
    Import import;
    import.module = dotted_name(tokens);
    if (tokens.accept("as")) {
      import.name = tokens.expect_name();
    } else {
      import.name = import.module.substr(0, import.module.find('.'));
      if (import.name != import.module) import.module = import.name;
    }
    add(into, std::move(import), line);
  } while (tokens.accept(","));
}

void parse_from(TokenStream& tokens, Block& into) {
  const int line = tokens.take().line;
  const std::string module = dotted_name(tokens);
  tokens.expect("import");
  const bool brackets = tokens.accept("(");
  while (!tokens.at(")") && !tokens.at(Token::Kind::newline)) {
    Import import{module, "", tokens.accept("*") ? "*" : tokens.expect_name()};
    import.name = tokens.accept("as") ? tokens.expect_name() : import.member;
    add(into, std::move(import), line);
    if (!tokens.accept(",")) break;
  }
  if (brackets) tokens.expect(")");
}

void parse_return(TokenStream& tokens, Block& into) {
  const int line = tokens.take().line;
  const bool empty = tokens.at(Token::Kind::newline) || tokens.at(";");
  add(into, Return{empty ? nullptr : parse_expressions(tokens)}, line);
}

void parse_raise(TokenStream& tokens, Block& into) {
  const int line = tokens.take().line;
  Raise raise;
  if (!tokens.at(Token::Kind::newline)) raise.value = parse_expression(tokens);
  if (tokens.accept("from")) parse_expression(tokens);
  add(into, std::move(raise), line);
}

void parse_assert(TokenStream& tokens, Block& into) {
  const int line = tokens.take().line;
  Assert assertion{parse_expression(tokens), nullptr};
  if (tokens.accept(",")) assertion.message = parse_expression(tokens);
  add(into, std::move(assertion), line);
}

void parse_outer(TokenStream& tokens, Block& into) {
  const Token word = tokens.take();
  Outer outer{{}, word.text == "global"};
  do outer.names.push_back(tokens.expect_name());
  while (tokens.accept(","));
  add(into, std::move(outer), word.line);
}

void parse_delete(TokenStream& tokens, Block& into) {
  const int line = tokens.take().line;
  Delete deletion;
  do deletion.targets.push_back(parse_expression(tokens));
  while (tokens.accept(","));
  add(into, std::move(deletion), line);
}

template <class Node>
void parse_word(TokenStream& tokens, Block& into) {
  const int line = tokens.take().line;
  add(into, Node{}, line);
}

// Compound statements.

void parse_if(TokenStream& tokens, Block& into) {
  const TokenStream::Level level(tokens);
  const int line = tokens.take().line;
  If branch{parse_expression(tokens), parse_block(tokens), {}};
  if (tokens.at("elif"))
    parse_if(tokens, branch.otherwise);
  else if (tokens.accept("else"))
    branch.otherwise = parse_block(tokens);
  add(into, std::move(branch), line);
}

void parse_for(TokenStream& tokens, Block& into) {
  const int line = tokens.take().line;
  For loop;
  loop.target = parse_targets(tokens);
  tokens.expect("in");
  loop.iterable = parse_expressions(tokens);
  loop.body = parse_block(tokens);
  if (tokens.accept("else")) loop.otherwise = parse_block(tokens);
  add(into, std::move(loop), line);
}

void parse_while(TokenStream& tokens, Block& into) {
  const int line = tokens.take().line;
  While loop;
  loop.test = parse_expression(tokens);
  loop.body = parse_block(tokens);
  if (tokens.at("else")) tokens.fail();
  add(into, std::move(loop), line);
}

void parse_def(TokenStream& tokens, Block& into) {
  const int line = tokens.take().line;
  auto code = std::make_shared<FunctionCode>();
  code->name = tokens.expect_name();
  tokens.expect("(");
  code->parameters = parse_parameters(tokens, ")");
  tokens.expect(")");
  if (tokens.accept("->")) parse_expression(tokens);
  code->body = parse_block(tokens);
  add(into, Define{std::move(code)}, line);
}

void parse_class(TokenStream& tokens, Block& into) {
  const int line = tokens.take().line;
  DefineClass made;
  made.name = tokens.expect_name();
  if (tokens.accept("(")) {
    while (!tokens.at(")")) {
      made.bases.push_back(parse_expression(tokens));
      if (!tokens.accept(",")) break;
    }
    tokens.expect(")");
  }
  made.body = parse_block(tokens);
  add(into, std::move(made), line);
}

Try::Handler parse_handler(TokenStream& tokens) {
  tokens.expect("except");
  Try::Handler handler;
  if (!tokens.at(":")) handler.type = parse_expression(tokens);
  if (tokens.accept("as")) handler.name = tokens.expect_name();
  handler.body = parse_block(tokens);
  return handler;
}

void parse_try(TokenStream& tokens, Block& into) {
  const int line = tokens.take().line;
  Try attempt;
  attempt.body = parse_block(tokens);
  while (tokens.at("except")) attempt.handlers.push_back(parse_handler(tokens));
  if (tokens.accept("else")) attempt.otherwise = parse_block(tokens);
  if (tokens.accept("finally")) attempt.finally = parse_block(tokens);
  add(into, std::move(attempt), line);
}

void parse_with(TokenStream& tokens, Block& into) {
  const int line = tokens.take().line;
  With with;
  with.context = parse_expression(tokens);
  tokens.expect("as");
  with.target = parse_targets(tokens);
  with.body = parse_block(tokens);
  add(into, std::move(with), line);
}

using Parser = void (*)(TokenStream&, Block&);
struct Rule {
  std::string_view word;
  Parser parse;
};

constexpr std::array<Rule, 7> kCompound = {{
    {"if", parse_if},
    {"for", parse_for},
    {"while", parse_while},
    {"def", parse_def},
    {"class", parse_class},
    {"try", parse_try},
    {"with", parse_with},
}};
constexpr std::array<Rule, 11> kSimple = {{
    {"import", parse_import},
    {"from", parse_from},
    {"return", parse_return},
    {"raise", parse_raise},
    {"assert", parse_assert},
    {"global", parse_outer},
    {"nonlocal", parse_outer},
    {"del", parse_delete},
    {"break", parse_word<Break>},
    {"continue", parse_word<Continue>},
    {"pass", parse_word<Pass>},
}};

void parse_simple(TokenStream& tokens, Block& into) {
  for (const Rule& rule : kSimple)
    if (tokens.at(rule.word)) return rule.parse(tokens, into);
  parse_assignment(tokens, into);
}

/// Simple statements that share a line.
void parse_line(TokenStream& tokens, Block& into) {
  parse_simple(tokens, into);
  while (tokens.accept(";"))
    if (!tokens.at(Token::Kind::newline)) parse_simple(tokens, into);
  tokens.expect(Token::Kind::newline);
}

void parse_known(TokenStream& tokens, Block& into) {
  for (const Rule& rule : kCompound)
    if (tokens.at(rule.word)) return rule.parse(tokens, into);
  parse_line(tokens, into);
}

/// What cannot be read fails when it is run: much of a module may never be.
void parse_statement(TokenStream& tokens, Block& into) {
  const std::size_t start = tokens.position();
  const std::size_t statements = into.size();
  const int line = tokens.line();
  const std::string word = tokens.peek().text;
  try {
    const TokenStream::Level level(tokens);
    parse_known(tokens, into);
  } catch (const text::jinja::Failure& failure) {
    while (into.size() > statements) into.pop_back();
    tokens.skip_statement(start);
    add(into, Unsupported{fmt::format("'{} ...' ({})", word, failure.text())}, line);
  }
}

Block parse_block(TokenStream& tokens) {
  Block body;
  tokens.expect(":");
  if (!tokens.accept(Token::Kind::newline)) {
    parse_line(tokens, body);
    return body;
  }
  tokens.expect(Token::Kind::indent);
  while (!tokens.accept(Token::Kind::dedent)) {
    if (tokens.at(Token::Kind::end)) tokens.fail();
    parse_statement(tokens, body);
  }
  return body;
}

}  // namespace

bool TokenStream::accept(std::string_view text) {
  if (!at(text)) return false;
  take();
  return true;
}

bool TokenStream::accept(Token::Kind kind) {
  if (!at(kind)) return false;
  take();
  return true;
}

void TokenStream::expect(std::string_view text) {
  if (!accept(text)) fail();
}

void TokenStream::expect(Token::Kind kind) {
  if (!accept(kind)) fail();
}

std::string TokenStream::expect_name() {
  if (!at(Token::Kind::name)) fail();
  return take().text;
}

void TokenStream::fail() const {
  text::jinja::fail_at(
      line(), FailureKind::syntax,
      peek().text.empty() ? "unexpected end of line" : fmt::format("unexpected '{}'", peek().text));
}

void TokenStream::skip_statement(std::size_t position) {
  at_ = position;
  const bool decorated = this->at("@");
  while (!at(Token::Kind::newline) && !at(Token::Kind::end)) take();
  accept(Token::Kind::newline);
  if (decorated) return skip_statement(at_);
  if (!accept(Token::Kind::indent)) return;
  for (int depth = 1; depth > 0 && !at(Token::Kind::end);) {
    const Token token = take();
    if (token.kind == Token::Kind::indent) ++depth;
    if (token.kind == Token::Kind::dedent) --depth;
  }
}

ModuleCode parse_module(std::string_view source) {
  TokenStream tokens(tokenize(source));
  ModuleCode module;
  while (!tokens.at(Token::Kind::end)) parse_statement(tokens, module.body);
  return module;
}

}  // namespace tare::shims
