#include <fmt/format.h>

#include <algorithm>

#include "shims/classes.h"
#include "text/jinja/at_line.h"
#include "text/jinja/dicts.h"
#include "text/jinja/import.h"
#include "text/jinja/iterate.h"

namespace tare::shims {

using text::jinja::Failure;
using text::jinja::type_error;
using text::jinja::unsupported;
using Flow = Interpreter::Flow;

namespace {

/// The names that a statement would bind, or change by a call.
void bound_names(const Expr& target, std::vector<std::string>& names) {
  if (const auto* name = std::get_if<Name>(&target.node)) names.push_back(name->name);
  if (const auto* display = std::get_if<Display>(&target.node))
    for (const ExprPtr& item : display->items) bound_names(*item, names);
  if (const auto* subscript = std::get_if<Subscript>(&target.node))
    bound_names(*subscript->object, names);
  if (const auto* attribute = std::get_if<Attribute>(&target.node))
    bound_names(*attribute->object, names);
  if (const auto* call = std::get_if<CallExpr>(&target.node)) bound_names(*call->callee, names);
}

void bound_names(const Block& block, std::vector<std::string>& names);

void bound_names(const Stmt& statement, std::vector<std::string>& names) {
  if (const auto* assign = std::get_if<Assign>(&statement.node))
    for (const ExprPtr& target : assign->targets) bound_names(*target, names);
  if (const auto* augmented = std::get_if<AugmentedAssign>(&statement.node))
    bound_names(*augmented->target, names);
  if (const auto* evaluate = std::get_if<Evaluate>(&statement.node))
    bound_names(*evaluate->value, names);
  if (const auto* import = std::get_if<Import>(&statement.node)) names.push_back(import->name);
  if (const auto* define = std::get_if<Define>(&statement.node))
    names.push_back(define->code->name);
  if (const auto* define = std::get_if<DefineClass>(&statement.node)) names.push_back(define->name);
  if (const auto* loop = std::get_if<For>(&statement.node)) {
    bound_names(*loop->target, names);
    bound_names(loop->body, names);
  }
  if (const auto* loop = std::get_if<While>(&statement.node)) bound_names(loop->body, names);
  if (const auto* with = std::get_if<With>(&statement.node)) {
    bound_names(*with->target, names);
    bound_names(with->body, names);
  }
  if (const auto* branch = std::get_if<If>(&statement.node)) {
    bound_names(branch->then, names);
    bound_names(branch->otherwise, names);
  }
  if (const auto* attempt = std::get_if<Try>(&statement.node)) {
    bound_names(attempt->body, names);
    for (const Try::Handler& handler : attempt->handlers) bound_names(handler.body, names);
    bound_names(attempt->otherwise, names);
    bound_names(attempt->finally, names);
  }
}

void bound_names(const Block& block, std::vector<std::string>& names) {
  for (const Stmt& statement : block) bound_names(statement, names);
}

}  // namespace

Scope& Interpreter::load(const ModuleCode& code, const std::string& file) {
  auto* scope = heap_.make<Scope>(nullptr, nullptr);
  scope->module = scope;
  scope->names["__name__"] = heap_.text("helper");
  scope->names["__file__"] = heap_.text(file);
  const ScopeChange change(*this, scope);
  for (const Stmt& statement : code.body) run_or_poison(statement);
  return *scope;
}

void Interpreter::run_or_poison(const Stmt& statement) {
  try {
    run(statement);
  } catch (const Failure& failure) {
    std::vector<std::string> names;
    bound_names(statement, names);
    for (const std::string& name : names)
      if (!builtins_.contains(name))
        scope_->names[name] =
            heap_.make<Poison>(fmt::format("line {}: {}", statement.line, failure.text()));
  }
}

Flow Interpreter::run(const Stmt& statement) {
  heap_.step();
  return text::jinja::at_line(statement.line, [&] { return std::visit(*this, statement.node); });
}

Flow Interpreter::run(const Block& block) {
  for (const Stmt& statement : block)
    if (const Flow flow = run(statement); flow != Flow::normal) return flow;
  return Flow::normal;
}

// Names.

Value* Interpreter::find(const std::string& name) {
  for (Scope* scope = scope_; scope != nullptr; scope = scope->outer) {
    if (const auto it = scope->elsewhere.find(name); it != scope->elsewhere.end()) {
      const auto found = it->second->names.find(name);
      return found != it->second->names.end() ? &found->second : nullptr;
    }
    if (const auto it = scope->names.find(name); it != scope->names.end()) return &it->second;
  }
  const auto it = builtins_.find(name);
  return it != builtins_.end() ? &it->second : nullptr;
}

void Interpreter::bind(const std::string& name, const Value& value) {
  const auto it = scope_->elsewhere.find(name);
  Scope* scope = it != scope_->elsewhere.end() ? it->second : scope_;
  scope->names[name] = value;
}

void Interpreter::assign(const Expr& target, const Value& value) {
  if (const auto* name = std::get_if<Name>(&target.node)) return bind(name->name, value);
  if (const auto* display = std::get_if<Display>(&target.node))
    return unpack(display->items, value);
  if (const auto* attribute = std::get_if<Attribute>(&target.node))
    return assign_attribute(eval(*attribute->object), attribute->name, value);
  const auto* subscript = std::get_if<Subscript>(&target.node);
  if (subscript == nullptr) unsupported("assigning to this is not built in");
  if (std::holds_alternative<Slice>(subscript->index->node))
    unsupported("assigning to a slice is not built in");
  const Value object = eval(*subscript->object);
  assign_item(object, eval(*subscript->index), value);
}

void Interpreter::assign_attribute(const Value& object, const std::string& name,
                                   const Value& value) {
  auto* module = as_kind<Module>(object);
  auto* instance = as_kind<Instance>(object);
  if (module == nullptr && instance == nullptr)
    unsupported("assigning to an attribute is built in for modules and instances alone");
  (module != nullptr ? module->members : instance->fields)[name] = value;
}

void Interpreter::assign_item(const Value& object, const Value& index, const Value& value) {
  if (auto* dict = as<Dict>(object)) return dict->set(heap_, index, value);
  if (PyObject* own = as_object(object)) return own->set_item(*this, index, value);
  auto* list = as<List>(object);
  if (list == nullptr || !index.is_integral())
    type_error(fmt::format("'{}' object does not support item assignment",
                           text::jinja::type_name(object)));
  const auto size = static_cast<std::int64_t>(list->items.size());
  const std::int64_t at = index.as_int() < 0 ? index.as_int() + size : index.as_int();
  if (at < 0 || at >= size)
    text::jinja::fail(FailureKind::index, "list assignment index out of range");
  list->items[static_cast<std::size_t>(at)] = value;
}

void Interpreter::unpack(const std::vector<ExprPtr>& targets, const Value& value) {
  std::vector<Value> items = collect(value);
  const auto starred = std::ranges::find_if(
      targets, [](const ExprPtr& target) { return std::holds_alternative<Starred>(target->node); });
  const bool has_star = starred != targets.end();
  const std::size_t fixed = targets.size() - (has_star ? 1 : 0);
  if (items.size() < fixed || (!has_star && items.size() > fixed))
    text::jinja::value_error(fmt::format("{} values to unpack (expected {}, got {})",
                                         items.size() < fixed ? "not enough" : "too many", fixed,
                                         items.size()));
  if (!has_star) {
    for (std::size_t i = 0; i < fixed; ++i) assign(*targets[i], items[i]);
    return;
  }
  const auto before = static_cast<std::size_t>(starred - targets.begin());
  const std::size_t taken = items.size() - fixed;
  for (std::size_t i = 0; i < before; ++i) assign(*targets[i], items[i]);
  const auto first = items.begin() + static_cast<std::ptrdiff_t>(before);
  assign(*std::get<Starred>((*starred)->node).value,
         heap_.list({first, first + static_cast<std::ptrdiff_t>(taken)}));
  for (std::size_t i = before + 1; i < targets.size(); ++i)
    assign(*targets[i], items[i - 1 + taken]);
}

// Statements.

Flow Interpreter::operator()(const Evaluate& s) {
  eval(*s.value);
  return Flow::normal;
}

Flow Interpreter::operator()(const Assign& s) {
  const Value value = eval(*s.value);
  for (const ExprPtr& target : s.targets) assign(*target, value);
  return Flow::normal;
}

Flow Interpreter::operator()(const AugmentedAssign& s) {
  const Value before = eval(*s.target);
  const Value operand = eval(*s.value);
  if (auto* list = as<List>(before); list != nullptr && s.op == BinaryOp::add) {
    const std::vector<Value> more = collect(operand);  // the same list, longer
    list->items.insert(list->items.end(), more.begin(), more.end());
    return Flow::normal;
  }
  if (as_object(before) != nullptr && as_kind<Set>(before) != nullptr)
    unsupported("changing a set in place is not built in");
  if (as<Dict>(before) != nullptr) unsupported("changing a dict by an operator is not built in");
  assign(*s.target, binary(s.op, before, operand));
  return Flow::normal;
}

Flow Interpreter::operator()(const Return& s) {
  result_ = s.value != nullptr ? eval(*s.value) : Value::none();
  return Flow::returned;
}

Flow Interpreter::operator()(const If& s) {
  return run(truthy(eval(*s.test)) ? s.then : s.otherwise);
}

Flow Interpreter::operator()(const For& s) {
  text::jinja::Iterator& items = iterate(eval(*s.iterable));
  for (Value item; items.next(heap_, item);) {
    heap_.step();
    assign(*s.target, item);
    const Flow flow = run(s.body);
    if (flow == Flow::returned) return flow;
    if (flow == Flow::broken) return Flow::normal;
  }
  return run(s.otherwise);
}

Flow Interpreter::operator()(const While& s) {
  while (truthy(eval(*s.test))) {
    heap_.step();
    const Flow flow = run(s.body);
    if (flow == Flow::returned) return flow;
    if (flow == Flow::broken) break;
  }
  return Flow::normal;
}

Flow Interpreter::operator()(const Define& s) {
  bind(s.code->name, make_function(s.code));
  return Flow::normal;
}

Flow Interpreter::operator()(const Import& s) {
  const Value module = import(s.module);
  if (s.member.empty()) {
    bind(s.name, module);
  } else if (s.member == "*") {
    unsupported("import * is not built in");
  } else {
    bind(s.name, attribute(module, s.member));
  }
  return Flow::normal;
}

namespace {

/// Failures that are Python's own; the engine's limits are no matter for a helper's `except`.
bool catchable(FailureKind kind) {
  switch (kind) {
    case FailureKind::runtime:
    case FailureKind::type:
    case FailureKind::value:
    case FailureKind::zero_division:
    case FailureKind::index:
    case FailureKind::key:
    case FailureKind::attribute:
    case FailureKind::assertion:
      return true;
    default:
      return false;
  }
}

bool catches(Interpreter& python, const Value& type, FailureKind kind) {
  if (as<text::jinja::Tuple>(type) != nullptr) {
    const auto types = python.collect(type);
    return std::ranges::any_of(types, [&](const Value& t) { return catches(python, t, kind); });
  }
  const auto* exception = as_kind<ExceptionType>(type);
  if (exception == nullptr) unsupported("an exception of this type is not built in");
  return std::ranges::find(exception->kinds, kind) != exception->kinds.end();
}

}  // namespace

bool Interpreter::handle(const Try& s, const Failure& failure, Flow& flow) {
  if (!catchable(failure.kind())) return false;
  for (const Try::Handler& handler : s.handlers) {
    if (handler.type != nullptr && !catches(*this, eval(*handler.type), failure.kind())) continue;
    if (!handler.name.empty())
      bind(handler.name, heap_.make<ExceptionValue>(failure.kind(), failure.text()));
    flow = run(handler.body);
    return true;
  }
  return false;
}

Flow Interpreter::operator()(const Try& s) {
  if (!s.finally.empty()) unsupported("finally is not built in");
  Scope* const scope = scope_;
  try {
    if (const Flow flow = run(s.body); flow != Flow::normal) return flow;
  } catch (const Failure& failure) {
    scope_ = scope;
    Flow flow = Flow::normal;
    if (handle(s, failure, flow)) return flow;
    throw;
  }
  return run(s.otherwise);
}

Flow Interpreter::operator()(const With& s) {
  const Value value = eval(*s.context);
  if (as_kind<File>(value) == nullptr) unsupported("with is built in for open files alone");
  assign(*s.target, value);
  return run(s.body);
}

Flow Interpreter::operator()(const Raise& s) {
  if (s.value == nullptr) unsupported("raise without a value is not built in");
  Value value = eval(*s.value);
  if (as_kind<ExceptionType>(value) != nullptr) value = call(value, std::vector<Value>{});
  const auto* exception = as_kind<ExceptionValue>(value);
  if (exception == nullptr) unsupported("raising this is not built in");
  text::jinja::fail(exception->kind, exception->message);
}

Flow Interpreter::operator()(const Assert& s) {
  if (truthy(eval(*s.test))) return Flow::normal;
  text::jinja::fail(FailureKind::assertion,
                    s.message != nullptr ? str(eval(*s.message)) : "assertion failed");
}

Flow Interpreter::operator()(const Outer& s) {
  for (const std::string& name : s.names) {
    Scope* scope = s.is_global ? scope_->module : scope_->outer;
    while (!s.is_global && scope != nullptr && !scope->names.contains(name)) scope = scope->outer;
    if (scope == nullptr) unsupported(fmt::format("nonlocal {} names nothing", name));
    scope_->elsewhere[name] = scope;
  }
  return Flow::normal;
}

Flow Interpreter::operator()(const Delete& s) {
  for (const ExprPtr& target : s.targets) {
    const auto* subscript = std::get_if<Subscript>(&target->node);
    const Value object = subscript != nullptr ? eval(*subscript->object) : Value();
    auto* dict = as<Dict>(object);
    if (dict == nullptr) unsupported("del is built in for an entry of a dict alone");
    if (dict->take(heap_, eval(*subscript->index)).is_missing())
      text::jinja::fail(FailureKind::key, "del of a key that is not there");
  }
  return Flow::normal;
}

Flow Interpreter::operator()(const Unsupported& s) {
  unsupported(s.what + " is not built in");
}

}  // namespace tare::shims
