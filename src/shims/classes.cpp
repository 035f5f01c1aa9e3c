#include "shims/classes.h"

#include <fmt/format.h>

#include "shims/library.h"
#include "text/jinja/operators.h"

namespace tare::shims {

using text::jinja::type_error;
using text::jinja::unsupported;

namespace {

/// A function of a class becomes a method of the instance; other members are as they are.
Value bound(Interpreter& python, const Value& member, const Value& self) {
  if (as_kind<Function>(member) == nullptr && as_kind<NativeFunction>(member) == nullptr)
    return member;
  return python.native("method", [member, self](Interpreter& p, Arguments& a) {
    a.positional.insert(a.positional.begin(), self);
    return p.call(member, std::move(a));
  });
}

/// super(): the members of the base, for the instance at hand.
struct Super final : PyObject {
  Super(Class* b, Value s) : base(b), self(std::move(s)) {}
  [[nodiscard]] std::string_view python_type() const override { return "super"; }
  Value attribute(Interpreter& python, std::string_view name) override {
    Value found = base != nullptr ? base->attribute(python, name) : Value();
    if (!found.is_missing()) return bound(python, found, self);
    if (name != "__init__") return {};
    return python.native("__init__", [](Interpreter&, Arguments&) { return Value::none(); });
  }
  Class* base;
  Value self;
};

Value* name_in_scopes(Interpreter& python, const std::string& name) {
  for (Scope* scope = &python.scope(); scope != nullptr; scope = scope->outer)
    if (const auto it = scope->names.find(name); it != scope->names.end()) return &it->second;
  return nullptr;
}

/// RegexFilter.__init__(self, regex_pattern, group_select, fallback).
Value init_regex_filter(Interpreter& python, Arguments& a) {
  auto* self = as_kind<Instance>(argument(a, 0, "self"));
  if (self == nullptr) type_error("RegexFilter.__init__() needs its object");
  auto given = [&](std::size_t place, std::string_view name, const Value& otherwise) {
    const Value value = argument(a, place, name);
    return value.is_missing() ? otherwise : value;
  };
  Heap& heap = python.heap();
  const Value pattern = given(1, "regex_pattern", heap.text(R"(#### (\-?[0-9\.\,]+))"));
  self->fields["regex_pattern"] = pattern;
  self->fields["regex"] =
      python.call(python.attribute(python.import("re"), "compile"), std::vector<Value>{pattern});
  self->fields["group_select"] = given(2, "group_select", std::int64_t{0});
  self->fields["fallback"] = given(3, "fallback", heap.text("[invalid]"));
  return Value::none();
}

}  // namespace

Value Class::call(Interpreter& python, Arguments arguments) {
  auto* instance = python.heap().make<Instance>(this);
  const Value init = attribute(python, "__init__");
  if (init.is_missing()) {
    if (!arguments.positional.empty()) type_error(fmt::format("{}() takes no arguments", name));
    return instance;
  }
  arguments.positional.insert(arguments.positional.begin(), instance);
  python.call(init, std::move(arguments));
  return instance;
}

Value Class::attribute(Interpreter& python, std::string_view member) {
  if (const auto it = members.find(member); it != members.end()) return it->second;
  if (const auto it = late.find(member); it != late.end())
    return members[it->first] = python.evaluate_in(*it->second.scope, *it->second.expression);
  return base != nullptr ? base->attribute(python, member) : Value();
}

Value Instance::attribute(Interpreter& python, std::string_view name) {
  if (const auto it = fields.find(name); it != fields.end()) return it->second;
  const Value member = type->attribute(python, name);
  return member.is_missing() ? member : bound(python, member, this);
}

Value super_of(Interpreter& python, Arguments& arguments) {
  if (!arguments.positional.empty()) unsupported("super() with arguments is not built in");
  const Value* owner = name_in_scopes(python, "__class__");
  const Value* self = name_in_scopes(python, "__self__");
  if (owner == nullptr || self == nullptr) type_error("super(): no arguments");
  return python.heap().make<Super>(as_kind<Class>(*owner)->base, *self);
}

Interpreter::Flow Interpreter::operator()(const DefineClass& s) {
  Class* base = nullptr;
  for (const ExprPtr& expression : s.bases) {
    base = as_kind<Class>(eval(*expression));
    if (base == nullptr || s.bases.size() > 1) unsupported("these bases of a class");
  }
  auto* made = heap_.make<Class>(s.name, base);
  for (const Stmt& statement : s.body) {
    if (const auto* define = std::get_if<Define>(&statement.node)) {
      const Value function = make_function(define->code);
      as_kind<Function>(function)->owner = made;
      made->members[define->code->name] = function;
      continue;
    }
    if (std::holds_alternative<Pass>(statement.node)) continue;
    if (const auto* evaluate = std::get_if<Evaluate>(&statement.node))
      if (std::holds_alternative<Literal>(evaluate->value->node)) continue;  // what it is for
    const auto* assign = std::get_if<Assign>(&statement.node);
    const auto* name = assign != nullptr ? std::get_if<Name>(&assign->targets[0]->node) : nullptr;
    if (name == nullptr || assign->targets.size() > 1)
      unsupported("this statement in a class is not built in");
    made->late[name->name] = {assign->value.get(), scope_};
  }
  bind(s.name, made);
  return Flow::normal;
}

Module* make_lm_eval_filters(Interpreter& python) {
  auto* module = python.heap().make<Module>("lm_eval.filters.extraction");
  auto* filter = python.heap().make<Class>("Filter", nullptr);
  filter->members["__init__"] =
      python.native("__init__", [](Interpreter&, Arguments&) { return Value::none(); });
  auto* regex = python.heap().make<Class>("RegexFilter", filter);
  regex->members["__init__"] = python.native("__init__", init_regex_filter);
  module->members["Filter"] = filter;
  module->members["RegexFilter"] = regex;
  return module;
}

Value apply_filter(Interpreter& python, const Value& filter, Arguments arguments) {
  const Value made = python.call(filter, Arguments{{}, std::move(arguments.named)});
  return python.call(python.attribute(made, "apply"), std::move(arguments.positional));
}

}  // namespace tare::shims
