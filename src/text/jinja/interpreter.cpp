#include "text/jinja/interpreter.h"

#include <fmt/format.h>

#include "text/jinja/at_line.h"
#include "text/jinja/import.h"
#include "text/jinja/iterate.h"
#include "text/jinja/output.h"

namespace tare::text::jinja {

Interpreter::Interpreter(const Program& program, const base::Value& variables)
    : program_(program),
      variables_(variables),
      heap_(program.options),
      context_(program.context_names.size()) {}

std::string Interpreter::run() {
  std::string text;
  out_ = &text;
  const FrameScope frame(*this, 0, nullptr);
  if (program_.self.variable >= 0) slot(program_.self) = heap_.make<TemplateSelf>();
  enter(program_.scope);
  block(program_.body);
  return text;
}

// Frames and names.

Interpreter::FrameScope::FrameScope(Interpreter& interpreter, int function, Frame* parent)
    : interpreter_(interpreter),
      caller_(interpreter.frame_),
      reusable_(!interpreter.program_.functions[static_cast<std::size_t>(function)].has_inner) {
  const auto& info = interpreter.program_.functions[static_cast<std::size_t>(function)];
  Frame* frame = nullptr;
  if (interpreter.free_frames_.empty()) {
    interpreter.heap_.charge(sizeof(Frame));
    interpreter.frames_.push_back(std::make_unique<Frame>());
    frame = interpreter.frames_.back().get();
  } else {
    frame = interpreter.free_frames_.back();
    interpreter.free_frames_.pop_back();
  }
  interpreter.heap_.charge_items(static_cast<std::size_t>(info.slots));
  frame->slots.assign(static_cast<std::size_t>(info.slots), Value());
  frame->parent = parent;
  interpreter.frame_ = frame;
}

Interpreter::FrameScope::~FrameScope() {
  if (reusable_) interpreter_.free_frames_.push_back(interpreter_.frame_);
  interpreter_.frame_ = caller_;
}

Value& Interpreter::context(int index) {
  ContextValue& entry = context_[static_cast<std::size_t>(index)];
  if (entry.known) return entry.value;
  entry.known = true;
  const std::string& name = program_.context_names[static_cast<std::size_t>(index)];
  if (const base::Value* found = variables_.find(name))
    entry.value = import_value(heap_, *found);
  else if (const Builtin* global = find_global(name, program_.options.chat))
    entry.value = heap_.make<Function>(global);
  return entry.value;
}

Value& Interpreter::slot(const NameRef& ref) {
  const Variable& variable = program_.variables[static_cast<std::size_t>(ref.variable)];
  if (variable.context >= 0) return context(variable.context);
  Frame* frame = frame_;
  for (int i = 0; i < ref.hops; ++i) frame = frame->parent;
  return frame->slots[static_cast<std::size_t>(variable.slot)];
}

Value Interpreter::variable(const NameRef& ref) {
  const Value& value = slot(ref);
  if (!value.is_missing()) return value;
  return heap_.undefined_name(program_.variables[static_cast<std::size_t>(ref.variable)].name);
}

void Interpreter::enter(const Scope& scope) {
  for (const ScopeLoad& load : scope) {
    Value& target = slot({load.variable, 0});
    if (load.from == ScopeLoad::From::context)
      target = context(load.context);
    else if (load.from == ScopeLoad::From::outer)
      target = slot(load.outer);
    else
      target = Value();
  }
}

void Interpreter::assign(const Target& target, const Value& value) {
  switch (target.kind) {
    case Target::Kind::name:
      slot(target.ref) = value;
      return;
    case Target::Kind::attribute:
      as<Namespace>(slot(target.ref))
          ->attributes->set(heap_, Value::borrowed(target.attribute), value);
      return;
    case Target::Kind::tuple:
      return unpack(target, value);
  }
}

void Interpreter::unpack(const Target& target, const Value& value) {
  if (!is_iterable(value) && as<Undefined>(value) == nullptr)
    type_error(fmt::format("cannot unpack non-iterable {} object", type_name(value)));
  Iterator& items = iterate(heap_, value);
  const std::size_t wanted = target.items.size();
  std::vector<Value> found;
  Value item;
  while (found.size() < wanted && items.next(heap_, item)) found.push_back(item);
  if (found.size() < wanted)
    value_error(
        fmt::format("not enough values to unpack (expected {}, got {})", wanted, found.size()));
  if (items.next(heap_, item))
    value_error(fmt::format("too many values to unpack (expected {})", wanted));
  for (std::size_t i = 0; i < wanted; ++i) assign(target.items[i], found[i]);
}

void Interpreter::require_namespaces(const Target& target) {
  if (target.kind == Target::Kind::attribute && as<Namespace>(slot(target.ref)) == nullptr)
    fail(FailureKind::runtime, "cannot assign attribute on non-namespace object");
  for (const Target& item : target.items) require_namespaces(item);
}

// Output.

void Interpreter::check_output_size() const {
  if (out_->size() > program_.options.max_output_bytes)
    fail(FailureKind::limit,
         fmt::format("the template prints more than {} bytes", program_.options.max_output_bytes));
}

void Interpreter::emit(std::string_view text) {
  out_->append(text);
  check_output_size();
}

void Interpreter::emit_value(const Expr& e) {
  const Value value = eval(e);
  append_str(heap_, *out_, value);
  check_output_size();
}

void Interpreter::emit_text(const Value& value) {
  if (!value.is_string())
    type_error(fmt::format("a call or filter block gives text, found {}", type_name(value)));
  emit(value.str());
}

// Statements.

Interpreter::Flow Interpreter::block(const Block& body) {
  const Heap::Level level(heap_);
  for (const Stmt& statement : body) {
    const Flow flow = at_line(statement.line, [&] { return std::visit(*this, statement.node); });
    if (flow != Flow::normal) return flow;
  }
  return Flow::normal;
}

Interpreter::Flow Interpreter::capture(const Block& body, Value& text) {
  Capture captured(*this);
  const Flow flow = block(body);
  text = heap_.text(std::move(captured.text));
  return flow;
}

Interpreter::Flow Interpreter::operator()(const Output& s) {
  for (const auto& piece : s.pieces) {
    if (piece.expr == nullptr)
      emit(piece.text);
    else
      at_line(piece.expr->line, [&] { emit_value(*piece.expr); });
  }
  return Flow::normal;
}

Interpreter::Flow Interpreter::operator()(const If& s) {
  for (const auto& branch : s.branches) {
    const bool taken = at_line(branch.test->line, [&] { return truthy(eval(*branch.test)); });
    if (taken) return block(branch.body);
  }
  return block(s.otherwise);
}

Interpreter::Flow Interpreter::operator()(const For& s) {
  const Value iterable = eval(*s.iterable);
  if (!s.recursive) return loop(s, iterable, nullptr, 0);
  emit_text(recursive_loop(s, iterable, frame_, 0));
  return Flow::normal;
}

Value Interpreter::recursive_loop(const For& s, const Value& iterable, Frame* closure, int depth0) {
  const FrameScope frame(*this, s.function, closure);
  Capture captured(*this);
  loop(s, iterable, closure, depth0);
  return heap_.text(std::move(captured.text));
}

Interpreter::Flow Interpreter::loop(const For& s, const Value& iterable, Frame* closure,
                                    int depth0) {
  Iterator* items = &iterate(heap_, iterable);
  if (s.test != nullptr) items = &filtered(s, *items);
  Loop* state = nullptr;
  if (s.loop.variable >= 0) {
    state = heap_.make<Loop>(*items, s.test != nullptr ? Value(items) : iterable, depth0);
    state->recursive = s.recursive ? &s : nullptr;
    state->closure = closure;
    slot(s.loop) = state;
  }
  bool completed_one = false;
  Value item;
  while (state != nullptr ? state->next(heap_, item) : items->next(heap_, item)) {
    heap_.step();
    enter(s.scope);
    assign(s.target, item);
    const Flow flow = block(s.body);
    if (flow == Flow::broken) break;
    completed_one = completed_one || flow == Flow::normal;
  }
  // As in Jinja2, a loop whose rounds all ended early counts as one without rounds.
  if (completed_one || s.otherwise.empty()) return Flow::normal;
  enter(s.else_scope);
  return block(s.otherwise);
}

/// The items that pass the loop's condition, which is asked when an item is wanted and not before.
Iterator& Interpreter::filtered(const For& s, Iterator& items) {
  bool entered = false;
  auto next = [this, &s, &items, frame = frame_, entered](Heap& heap, Value& out) mutable {
    Frame* const caller = std::exchange(frame_, frame);
    struct Restore {
      Frame*& frame;
      Frame* caller;
      ~Restore() { frame = caller; }
    } const restore{frame_, caller};
    if (!std::exchange(entered, true)) enter(s.test_scope);
    for (Value item; items.next(heap, item);) {
      heap.step();
      assign(s.test_target, item);
      if (!at_line(s.test->line, [&] { return truthy(eval(*s.test)); })) continue;
      out = std::move(item);
      return true;
    }
    return false;
  };
  return make_iterator(heap_, "generator", next);
}

Interpreter::Flow Interpreter::operator()(const Set& s) {
  require_namespaces(s.target);
  assign(s.target, eval(*s.value));
  return Flow::normal;
}

Interpreter::Flow Interpreter::operator()(const SetBlock& s) {
  enter(s.scope);
  Value text;
  if (const Flow flow = capture(s.body, text); flow != Flow::normal) return flow;
  block_text_ = text;
  require_namespaces(s.target);
  assign(s.target, s.filter != nullptr ? eval(*s.filter) : text);
  return Flow::normal;
}

Interpreter::Flow Interpreter::operator()(const With& s) {
  enter(s.scope);
  for (const auto& [target, value] : s.assignments) assign(target, eval(*value));
  return block(s.body);
}

Interpreter::Flow Interpreter::operator()(const FilterBlock& s) {
  enter(s.scope);
  Value text;
  if (const Flow flow = capture(s.body, text); flow != Flow::normal) return flow;
  block_text_ = text;
  emit_text(eval(*s.filter));
  return Flow::normal;
}

Interpreter::Flow Interpreter::operator()(const MacroStmt& s) {
  slot(s.ref) = heap_.make<Macro>(s.body, frame_);
  return Flow::normal;
}

Interpreter::Flow Interpreter::operator()(const CallBlock& s) {
  const Value caller = heap_.make<Macro>(s.body, frame_);
  emit_text(s.call == nullptr ? call(caller, {})
                              : evaluate_call(std::get<CallExpr>(s.call->node), caller));
  return Flow::normal;
}

}  // namespace tare::text::jinja
