#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/value.h"
#include "text/jinja/ast.h"
#include "text/jinja/heap.h"
#include "text/jinja/loop.h"
#include "text/jinja/macro.h"

namespace tare::text::jinja {

/// The variables of one call of a function.
struct Frame {
  std::vector<Value> slots;
  Frame* parent = nullptr;  ///< the frame of the function around
};

/// One rendering of a program. Used once.
class Interpreter {
 public:
  Interpreter(const Program& program, const base::Value& variables);
  Interpreter(const Interpreter&) = delete;
  Interpreter& operator=(const Interpreter&) = delete;

  std::string run();

  // The visitors of expressions: interpreter_expr.cpp.
  Value operator()(const Literal& e);
  Value operator()(const Name& e);
  Value operator()(const GetAttribute& e);
  Value operator()(const GetItem& e);
  Value operator()(const GetSlice& e);
  Value operator()(const Unary& e);
  Value operator()(const Binary& e);
  Value operator()(const Not& e);
  Value operator()(const Logic& e);
  Value operator()(const Comparison& e);
  Value operator()(const Concat& e);
  Value operator()(const Conditional& e);
  Value operator()(const Sequence& e);
  Value operator()(const DictLiteral& e);
  Value operator()(const CallExpr& e);
  Value operator()(const FilterExpr& e);
  Value operator()(const TestExpr& e);

  /// How a statement ended.
  enum class Flow { normal, broken, continued };

  // The visitors of statements: interpreter.cpp.
  Flow operator()(const Output& s);
  Flow operator()(const If& s);
  Flow operator()(const For& s);
  Flow operator()(const Set& s);
  Flow operator()(const SetBlock& s);
  Flow operator()(const With& s);
  Flow operator()(const FilterBlock& s);
  Flow operator()(const MacroStmt& s);
  Flow operator()(const CallBlock& s);
  Flow operator()(const Break&) { return Flow::broken; }
  Flow operator()(const Continue&) { return Flow::continued; }

 private:
  /// Runs in a frame of its own for as long as it lives.
  class FrameScope {
   public:
    FrameScope(Interpreter& interpreter, int function, Frame* parent);
    ~FrameScope();
    FrameScope(const FrameScope&) = delete;
    FrameScope& operator=(const FrameScope&) = delete;

   private:
    Interpreter& interpreter_;
    Frame* const caller_;
    const bool reusable_;
  };
  /// Sends output into a string of its own for as long as it lives.
  class Capture {
   public:
    explicit Capture(Interpreter& interpreter)
        : interpreter_(interpreter), outer_(std::exchange(interpreter.out_, &text)) {}
    ~Capture() { interpreter_.out_ = outer_; }
    Capture(const Capture&) = delete;
    Capture& operator=(const Capture&) = delete;

    std::string text;

   private:
    Interpreter& interpreter_;
    std::string* outer_;
  };

  Value eval(const Expr& e);
  /// A part of an expression that may be absent: then missing.
  Value eval_optional(const ExprPtr& e) { return e == nullptr ? Value() : eval(*e); }
  Arguments eval_arguments(const CallArguments& arguments);
  void add_star_arguments(const CallArguments& from, Arguments& to);
  Value evaluate_call(const CallExpr& e, Value caller);
  Value call(const Value& callee, Arguments arguments);
  Value call_macro(const Macro& macro, Arguments arguments);
  void bind_macro(const Macro& macro, Arguments arguments);
  void bind_specials(const MacroBody& body, Arguments arguments, std::size_t consumed,
                     bool found_caller);
  Value call_loop(const Loop& loop, const Arguments& arguments);

  Flow block(const Block& body);
  Flow loop(const For& s, const Value& iterable, Frame* closure, int depth0);
  Value recursive_loop(const For& s, const Value& iterable, Frame* closure, int depth0);
  Iterator& filtered(const For& s, Iterator& items);
  /// The block's text, and whether it ran to its end.
  Flow capture(const Block& body, Value& text);

  void emit(std::string_view text);
  void emit_value(const Expr& e);
  /// What a call or filter block gives must be text already.
  void emit_text(const Value& value);
  void check_output_size() const;

  Value& slot(const NameRef& ref);
  Value variable(const NameRef& ref);
  Value& context(int index);
  void enter(const Scope& scope);
  void assign(const Target& target, const Value& value);
  void unpack(const Target& target, const Value& value);
  void require_namespaces(const Target& target);

  const Program& program_;
  const base::Value& variables_;
  Heap heap_;
  struct ContextValue {
    bool known = false;
    Value value;
  };
  std::vector<ContextValue> context_;  ///< by Program::context_names
  std::vector<std::unique_ptr<Frame>> frames_;
  std::vector<Frame*> free_frames_;
  Frame* frame_ = nullptr;
  std::string* out_ = nullptr;
  Value block_text_;  ///< the input of the filter of a filter or set block
};

}  // namespace tare::text::jinja
