#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "shims/object.h"
#include "shims/syntax.h"
#include "text/regex.h"

namespace tare::shims {

struct Class;

/// What outlives single calls: parsed modules and compiled regular expressions.
struct Caches {
  std::map<std::string, std::shared_ptr<const ModuleCode>> modules;  ///< by file
  std::map<std::string, text::Regex> patterns;
};

/// Runs functions of one module and of those it imports, without access to anything outside: no
/// files but those that it is given, no clock, no environment. Errors travel as
/// text::jinja::Failure.
class Interpreter {
 public:
  /// Gives the code of a module that a helper file imports by name, or null.
  using FindModule = std::function<std::shared_ptr<const ModuleCode>(const std::string&)>;

  /// Gives the content of a file that a helper reads, or nothing.
  using ReadFile = std::function<std::optional<std::string>(const std::string& path)>;

  Interpreter(Heap& heap, Caches& caches, FindModule find_module, ReadFile read_file);
  Interpreter(const Interpreter&) = delete;
  Interpreter& operator=(const Interpreter&) = delete;

  /// Runs the statements of a module. What fails is left out: the names it would have bound are
  /// there, and fail when they are used.
  Scope& load(const ModuleCode& code, const std::string& file);
  /// The value of a name of a module; raises if there is none.
  Value member(Scope& module, const std::string& name);

  Value call(const Value& callee, Arguments arguments);
  Value call(const Value& callee, std::vector<Value> positional) {
    return call(callee, Arguments{std::move(positional), {}});
  }

  // Operations on any value, of this room or of text::jinja.
  Value attribute(const Value& object, const std::string& name);
  Value item(const Value& object, const Value& index);
  bool truthy(const Value& value);
  bool equal(const Value& a, const Value& b);
  bool contains(const Value& container, const Value& item);
  std::vector<Value> collect(const Value& iterable);
  text::jinja::Iterator& iterate(const Value& iterable);
  Value binary(BinaryOp op, const Value& a, const Value& b);
  std::string str(const Value& value);

  Heap& heap() { return heap_; }
  Caches& caches() { return caches_; }
  Value native(std::string name, NativeFunction::Body body);
  Value set_of(const std::vector<Value>& items);
  Value evaluate_in(Scope& scope, const Expr& e);
  /// The scope in which code runs now.
  Scope& scope() { return *scope_; }
  Value import(const std::string& module);

  /// The order of a set of strings differs from run to run of CPython. Here it is that of insertion
  /// or the reverse, and whoever walks over one says so: what comes out alike in both orders does
  /// not depend on it.
  enum class SetOrder { inserted, reversed };
  void set_order(SetOrder order) { set_order_ = order; }
  [[nodiscard]] bool walked_over_set() const { return walked_over_set_; }
  void forget_walk(bool walked) { walked_over_set_ = walked; }
  std::vector<Value> in_set_order(std::vector<Value> items);
  /// The content of a file that helpers may read; raises for others.
  std::string read(const std::string& path);

  // The visitors of expressions: evaluate.cpp.
  Value operator()(const Literal& e);
  Value operator()(const Name& e);
  Value operator()(const Attribute& e);
  Value operator()(const Subscript& e);
  Value operator()(const Slice& e);
  Value operator()(const Unary& e);
  Value operator()(const Binary& e);
  Value operator()(const Logic& e);
  Value operator()(const Comparison& e);
  Value operator()(const Conditional& e);
  Value operator()(const Starred& e);
  Value operator()(const Display& e);
  Value operator()(const DictDisplay& e);
  Value operator()(const CallExpr& e);
  Value operator()(const FormattedText& e);
  Value operator()(const Comprehension& e);
  Value operator()(const Lambda& e);

  enum class Flow { normal, broken, continued, returned };

  // The visitors of statements: execute.cpp.
  Flow operator()(const Evaluate& s);
  Flow operator()(const Assign& s);
  Flow operator()(const AugmentedAssign& s);
  Flow operator()(const Return& s);
  Flow operator()(const If& s);
  Flow operator()(const For& s);
  Flow operator()(const While& s);
  Flow operator()(const Break&) { return Flow::broken; }
  Flow operator()(const Continue&) { return Flow::continued; }
  Flow operator()(const Pass&) { return Flow::normal; }
  Flow operator()(const Define& s);
  Flow operator()(const DefineClass& s);
  Flow operator()(const Import& s);
  Flow operator()(const Try& s);
  Flow operator()(const With& s);
  Flow operator()(const Raise& s);
  Flow operator()(const Assert& s);
  Flow operator()(const Outer& s);
  Flow operator()(const Delete& s);
  Flow operator()(const Unsupported& s);

 private:
  friend struct Function;
  friend class ScopeChange;
  Value eval(const Expr& e);
  Value eval_optional(const ExprPtr& e) { return e == nullptr ? Value() : eval(*e); }
  std::vector<Value> eval_items(const std::vector<ExprPtr>& items);
  Arguments eval_arguments(const CallExpr& e);
  bool compare(Comparison::Op op, const Value& a, const Value& b);
  Value set_operation(BinaryOp op, const Value& a, const Value& b);
  void comprehend(const Comprehension& e, std::size_t clause, const std::function<void()>& emit);
  Value generator(const Comprehension& e);
  Value make_function(std::shared_ptr<const FunctionCode> code);

  Flow run(const Stmt& statement);
  Flow run(const Block& block);
  void run_or_poison(const Stmt& statement);
  bool handle(const Try& s, const text::jinja::Failure& failure, Flow& flow);
  void assign(const Expr& target, const Value& value);
  void unpack(const std::vector<ExprPtr>& targets, const Value& value);
  void assign_attribute(const Value& object, const std::string& name, const Value& value);
  void assign_item(const Value& object, const Value& index, const Value& value);
  void bind(const std::string& name, const Value& value);
  Value* find(const std::string& name);

  Heap& heap_;
  Caches& caches_;
  FindModule find_module_;
  ReadFile read_file_;
  Scope* scope_ = nullptr;
  SetOrder set_order_ = SetOrder::inserted;
  bool walked_over_set_ = false;
  Value result_;  ///< of the return statement that ended a function
  std::map<std::string, Value> imported_;
  std::unordered_map<std::string, Value> builtins_;
};

/// Evaluates in another scope for as long as it lives.
class ScopeChange {
 public:
  ScopeChange(Interpreter& python, Scope* scope)
      : python_(python), before_(std::exchange(python.scope_, scope)) {}
  ~ScopeChange() { python_.scope_ = before_; }
  ScopeChange(const ScopeChange&) = delete;
  ScopeChange& operator=(const ScopeChange&) = delete;

 private:
  Interpreter& python_;
  Scope* before_;
};

/// A def or lambda with the scope in which it was made.
struct Function final : PyObject {
  Function(std::shared_ptr<const FunctionCode> c, Scope* s) : code(std::move(c)), scope(s) {}
  [[nodiscard]] std::string_view python_type() const override { return "function"; }
  Value call(Interpreter& python, Arguments arguments) override;
  std::shared_ptr<const FunctionCode> code;
  Scope* scope;
  std::vector<Value> defaults;  ///< one a parameter, missing when there is none
  Class* owner = nullptr;       ///< of a method
};

}  // namespace tare::shims
