#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "text/jinja/builtin.h"
#include "text/jinja/jinja.h"
#include "text/jinja/methods.h"
#include "text/jinja/operators.h"
#include "text/jinja/value.h"

/// A template as a tree. The parser builds it, the binder fills in where names live; after that it
/// never changes.
namespace tare::text::jinja {

struct Expr;
struct Stmt;
using ExprPtr = std::unique_ptr<Expr>;
using Block = std::vector<Stmt>;

/// Where a name lives: a variable of the program, `hops` function frames out.
struct NameRef {
  int variable = -1;
  int hops = 0;
};

// Expressions.

struct Literal {
  Value value;
};
struct Name {
  std::string name;
  NameRef ref;
};
struct GetAttribute {
  ExprPtr object;
  Value name;  ///< a string
  MethodSet methods;
};
struct GetItem {
  ExprPtr object, index;
};
struct GetSlice {
  ExprPtr object, start, stop, step;  ///< each bound may be null
};
struct Unary {
  UnaryOp op;
  ExprPtr operand;
};
struct Binary {
  BinaryOp op;
  ExprPtr left, right;
};
struct Not {
  ExprPtr operand;
};
/// `and` and `or`: give one of the operands.
struct Logic {
  bool is_or;
  ExprPtr left, right;
};
struct Comparison {
  struct Link {
    CompareOp op;
    ExprPtr right;
  };
  ExprPtr first;
  std::vector<Link> links;
};
struct Concat {
  std::vector<ExprPtr> parts;
};
struct Conditional {
  ExprPtr test, then, otherwise;  ///< otherwise may be null
  int line;
};
struct Sequence {
  bool is_tuple;
  std::vector<ExprPtr> items;
};
struct DictLiteral {
  std::vector<std::pair<ExprPtr, ExprPtr>> entries;
};
struct CallArguments {
  std::vector<ExprPtr> positional;
  std::vector<std::pair<std::string, ExprPtr>> named;
  ExprPtr star, double_star;  ///< *args and **kwargs; may be null
};
struct CallExpr {
  ExprPtr callee;
  CallArguments arguments;
};
struct FilterExpr {
  ExprPtr input;  ///< null: the text of the surrounding filter or set block
  std::string name;
  CallArguments arguments;
  const Builtin* builtin = nullptr;  ///< null: no such filter, an error when it is reached
};
struct TestExpr {
  ExprPtr input;
  std::string name;
  CallArguments arguments;
  const Builtin* builtin = nullptr;
};

struct Expr {
  std::variant<Literal, Name, GetAttribute, GetItem, GetSlice, Unary, Binary, Not, Logic,
               Comparison, Concat, Conditional, Sequence, DictLiteral, CallExpr, FilterExpr,
               TestExpr>
      node;
  int line = 0;
  int depth = 0;  ///< levels of expressions below and including this one
};

// Targets of assignments.

struct Target {
  enum class Kind { name, attribute, tuple };
  Kind kind = Kind::name;
  std::string name;  ///< the variable, or the namespace
  NameRef ref;
  std::string attribute;
  std::vector<Target> items;
};

// Statements.

/// What happens to the variables of a scope when it is entered.
struct ScopeLoad {
  enum class From { context, outer, nothing };
  int variable = -1;
  From from = From::nothing;
  NameRef outer;     ///< from outer: which variable is copied
  int context = -1;  ///< from context: into Program::context_names
};
using Scope = std::vector<ScopeLoad>;

struct Output {
  struct Piece {
    std::string text;  ///< template data, when there is no expression
    ExprPtr expr;
  };
  std::vector<Piece> pieces;
};
struct If {
  struct Branch {
    ExprPtr test;
    Block body;
  };
  std::vector<Branch> branches;
  Block otherwise;
};
struct For {
  Target target;
  ExprPtr iterable;
  ExprPtr test;  ///< may be null
  Target test_target;
  Block body, otherwise;
  bool recursive = false;
  int function = -1;  ///< recursive: the frame that each level of the loop runs in
  NameRef loop;       ///< the variable `loop`; variable -1: the body does not use it
  Scope scope, test_scope, else_scope;
};
struct Set {
  Target target;
  ExprPtr value;
};
struct SetBlock {
  Target target;
  ExprPtr filter;  ///< may be null
  Block body;
  Scope scope;
};
struct With {
  std::vector<std::pair<Target, ExprPtr>> assignments;
  Block body;
  Scope scope;
};
struct FilterBlock {
  ExprPtr filter;
  Block body;
  Scope scope;
};
/// What a macro and a call block have in common: a function that renders its body.
struct MacroBody {
  struct Parameter {
    std::string name;
    NameRef ref;
    ExprPtr otherwise;  ///< the default; may be null
  };
  std::string name;  ///< empty: a call block
  std::vector<Parameter> parameters;
  Block body;
  Scope scope;
  int function = -1;
  bool explicit_caller = false;     ///< `caller` is one of the parameters
  NameRef caller, kwargs, varargs;  ///< variable -1: the body does not use it
};
struct MacroStmt {
  MacroBody body;
  NameRef ref;
};
struct CallBlock {
  ExprPtr call;  ///< a CallExpr; null: the `generation` tag, which calls the body itself
  MacroBody body;
};
struct Break {};
struct Continue {};

struct Stmt {
  std::variant<Output, If, For, Set, SetBlock, With, FilterBlock, MacroStmt, CallBlock, Break,
               Continue>
      node;
  int line = 0;
};

/// A variable after binding: a slot of its function's frame, or, if nothing ever sets it, a name of
/// the context.
struct Variable {
  std::string name;
  int function = 0;
  int slot = -1;
  bool stored = false;
  int context = -1;  ///< into Program::context_names, when the variable is never stored
};

/// A piece of the template that runs in a frame of its own: the whole, a macro, a recursive loop.
struct FunctionInfo {
  int slots = 0;
  bool has_inner = false;  ///< a macro, recursive loop or loop condition may keep its frame alive
};

struct Program {
  std::string source;
  Options options;
  Block body;
  Scope scope;
  NameRef self;  ///< the variable `self`, when the template uses it
  std::vector<Variable> variables;
  std::vector<FunctionInfo> functions;
  std::vector<std::string> context_names;
};

}  // namespace tare::text::jinja
