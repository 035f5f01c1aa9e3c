#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/value.h"
#include "text/jinja/operators.h"

/// The part of Python that helper functions of tasks are written in, as a tree. What is left out
/// (generators, async, decorators) is read as an Unsupported statement, which fails
/// when it is reached, and no earlier.
namespace tare::shims {

struct Expr;
struct Stmt;
using ExprPtr = std::unique_ptr<Expr>;
using Block = std::vector<Stmt>;

// Expressions.

struct Literal {
  base::Value value;
};
struct Name {
  std::string name;
};
struct Attribute {
  ExprPtr object;
  std::string name;
};
struct Subscript {
  ExprPtr object, index;
};
/// Only as the index of a Subscript; bounds may be null.
struct Slice {
  ExprPtr start, stop, step;
};
enum class UnaryOp { negative, positive, invert, logical_not };
struct Unary {
  UnaryOp op;
  ExprPtr operand;
};
enum class BinaryOp {
  add,
  subtract,
  multiply,
  divide,
  floor_divide,
  modulo,
  power,
  bit_and,
  bit_or,
  bit_xor,
};
struct Binary {
  BinaryOp op;
  ExprPtr left, right;
};
/// `and` and `or`.
struct Logic {
  bool is_or;
  ExprPtr left, right;
};
struct Comparison {
  enum class Op {
    equal,
    not_equal,
    less,
    less_equal,
    greater,
    greater_equal,
    in,
    not_in,
    is,
    is_not
  };
  struct Link {
    Op op;
    ExprPtr right;
  };
  ExprPtr first;
  std::vector<Link> links;
};
struct Conditional {
  ExprPtr test, then, otherwise;
};
struct Starred {
  ExprPtr value;
};
struct Display {
  enum class Kind { list, tuple, set };
  Kind kind;
  std::vector<ExprPtr> items;  ///< may be Starred
};
struct DictDisplay {
  std::vector<std::pair<ExprPtr, ExprPtr>> entries;  ///< without key: **value
};
struct Argument {
  std::string name;      ///< "" if positional or **
  ExprPtr value;         ///< may be Starred
  bool mapping = false;  ///< **value
};
struct CallExpr {
  ExprPtr callee;
  std::vector<Argument> arguments;
};
struct FormattedText {
  struct Piece {
    std::string text;  ///< when there is no expression
    ExprPtr value;
    char conversion = 0;  ///< r, s, a or none
    ExprPtr format;       ///< a FormattedText, or null
  };
  std::vector<Piece> pieces;
};
struct Comprehension {
  enum class Kind { list, set, dict, generator };
  struct Clause {
    ExprPtr target, iterable;
    std::vector<ExprPtr> conditions;
  };
  Kind kind;
  ExprPtr element, value;  ///< value of a dict only
  std::vector<Clause> clauses;
};

struct Parameters {
  struct Parameter {
    std::string name;
    ExprPtr otherwise;  ///< the default, or null
    bool keyword_only = false;
  };
  std::vector<Parameter> list;
  std::string star, double_star;  ///< names of *args and **kwargs, or ""
};
/// A def or a lambda; shared by the functions that are made of it.
struct FunctionCode {
  std::string name;
  Parameters parameters;
  Block body;      ///< of a def
  ExprPtr result;  ///< of a lambda
};
struct Lambda {
  std::shared_ptr<const FunctionCode> code;
};

struct Expr {
  std::variant<Literal, Name, Attribute, Subscript, Slice, Unary, Binary, Logic, Comparison,
               Conditional, Starred, Display, DictDisplay, CallExpr, FormattedText, Comprehension,
               Lambda>
      node;
  int line = 0;
};

// Statements.

struct Evaluate {
  ExprPtr value;
};
struct Assign {
  std::vector<ExprPtr> targets;
  ExprPtr value;
};
struct AugmentedAssign {
  ExprPtr target;
  BinaryOp op;
  ExprPtr value;
};
struct Return {
  ExprPtr value;  ///< may be null
};
struct If {
  ExprPtr test;
  Block then, otherwise;
};
struct For {
  ExprPtr target, iterable;
  Block body, otherwise;
};
struct While {
  ExprPtr test;
  Block body;
};
struct Break {};
struct Continue {};
struct Pass {};
struct Define {
  std::shared_ptr<const FunctionCode> code;
};
/// Its methods, and assignments to names.
struct DefineClass {
  std::string name;
  std::vector<ExprPtr> bases;
  Block body;
};
struct Import {
  std::string module;  ///< "a.b"
  std::string name;    ///< what is bound
  std::string member;  ///< of `from module import member`, or ""
};
struct Try {
  struct Handler {
    ExprPtr type;  ///< null: everything
    std::string name;
    Block body;
  };
  Block body;
  std::vector<Handler> handlers;
  Block otherwise, finally;
};
struct Raise {
  ExprPtr value;  ///< null: the one being handled
};
struct Assert {
  ExprPtr test, message;
};
/// with context as target.
struct With {
  ExprPtr context, target;
  Block body;
};
/// global or nonlocal.
struct Outer {
  std::vector<std::string> names;
  bool is_global;
};
struct Delete {
  std::vector<ExprPtr> targets;
};
struct Unsupported {
  std::string what;
};

struct Stmt {
  std::variant<Evaluate, Assign, AugmentedAssign, Return, If, For, While, Break, Continue, Pass,
               Define, DefineClass, Import, Try, With, Raise, Assert, Outer, Delete, Unsupported>
      node;
  int line = 0;
};

struct ModuleCode {
  Block body;
  bool random = false;  ///< the source speaks of random numbers
};

/// Reads a module. Raises text::jinja::Failure for what is no Python at all.
ModuleCode parse_module(std::string_view source);

}  // namespace tare::shims
