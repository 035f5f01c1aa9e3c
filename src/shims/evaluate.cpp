#include <fmt/format.h>

#include <array>

#include "shims/array.h"
#include "shims/interpreter.h"
#include "text/jinja/at_line.h"
#include "text/jinja/attributes.h"
#include "text/jinja/dicts.h"
#include "text/jinja/format.h"
#include "text/jinja/import.h"
#include "text/jinja/iterate.h"
#include "text/jinja/output.h"

namespace tare::shims {

using namespace text::jinja;  // NOLINT: the values are that room's

Value Interpreter::eval(const Expr& e) {
  const Heap::Level level(heap_);
  heap_.step();
  return at_line(e.line, [&] { return std::visit(*this, e.node); });
}

Value Interpreter::evaluate_in(Scope& scope, const Expr& e) {
  const ScopeChange change(*this, &scope);
  return eval(e);
}

Value Interpreter::operator()(const shims::Literal& e) {
  return import_value(heap_, e.value);
}

Value Interpreter::operator()(const shims::Name& e) {
  if (const Value* found = find(e.name)) {
    if (const auto* poison = as_kind<Poison>(*found))
      unsupported(fmt::format("'{}' cannot be used: {}", e.name, poison->reason));
    return *found;
  }
  unsupported(fmt::format("the name '{}' is not built in", e.name));
}

Value Interpreter::operator()(const shims::Attribute& e) {
  return attribute(eval(*e.object), e.name);
}

Value Interpreter::operator()(const Subscript& e) {
  const Value object = eval(*e.object);
  if (const auto* slice = std::get_if<Slice>(&e.index->node)) {
    const Value start = eval_optional(slice->start), stop = eval_optional(slice->stop);
    return get_slice(heap_, object, start, stop, eval_optional(slice->step));
  }
  return item(object, eval(*e.index));
}

Value Interpreter::operator()(const Slice&) {
  unsupported("a slice outside of [] is not built in");
}

Value Interpreter::operator()(const shims::Unary& e) {
  const Value operand = eval(*e.operand);
  switch (e.op) {
    case shims::UnaryOp::logical_not:
      return !truthy(operand);
    case shims::UnaryOp::invert:
      if (const auto* mask = as_kind<Array>(operand); mask != nullptr)
        return array_compare(*this, shims::Comparison::Op::equal, operand, false);
      if (!operand.is_int()) unsupported("~ is built in for int alone");
      return ~operand.as_int();
    case shims::UnaryOp::negative:
      return unary(heap_, text::jinja::UnaryOp::negative, operand);
    case shims::UnaryOp::positive:
      return unary(heap_, text::jinja::UnaryOp::positive, operand);
  }
  return {};
}

Value Interpreter::operator()(const shims::Binary& e) {
  const Value left = eval(*e.left);
  return binary(e.op, left, eval(*e.right));
}

Value Interpreter::operator()(const shims::Logic& e) {
  Value left = eval(*e.left);
  return truthy(left) == e.is_or ? left : eval(*e.right);
}

Value Interpreter::operator()(const shims::Comparison& e) {
  Value left = eval(*e.first);
  for (const auto& [op, operand] : e.links) {
    Value right = eval(*operand);
    if (Value made = array_compare(*this, op, left, right); !made.is_missing()) {
      if (e.links.size() > 1) unsupported("numpy: chained comparisons are not built in");
      return made;
    }
    if (!compare(op, left, right)) return false;
    left = std::move(right);
  }
  return true;
}

Value Interpreter::operator()(const shims::Conditional& e) {
  return truthy(eval(*e.test)) ? eval(*e.then) : eval(*e.otherwise);
}

Value Interpreter::operator()(const Starred&) {
  type_error("a starred expression stands only in a list, a tuple or a call");
}

std::vector<Value> Interpreter::eval_items(const std::vector<ExprPtr>& items) {
  std::vector<Value> values;
  values.reserve(items.size());
  for (const ExprPtr& item : items) {
    if (const auto* starred = std::get_if<Starred>(&item->node)) {
      const std::vector<Value> more = collect(eval(*starred->value));
      values.insert(values.end(), more.begin(), more.end());
    } else {
      values.push_back(eval(*item));
    }
  }
  return values;
}

Value Interpreter::operator()(const Display& e) {
  std::vector<Value> items = eval_items(e.items);
  if (e.kind == Display::Kind::set) return set_of(items);
  return e.kind == Display::Kind::tuple ? heap_.tuple(std::move(items))
                                        : heap_.list(std::move(items));
}

Value Interpreter::operator()(const DictDisplay& e) {
  auto* dict = heap_.make<Dict>();
  for (const auto& [key, value] : e.entries) {
    if (key == nullptr) {
      const Value more = eval(*value);
      if (as<Dict>(more) == nullptr) type_error("the operand of ** is no mapping");
      update_dict(heap_, *dict, more, {});
    } else {
      const Value name = eval(*key);
      dict->set(heap_, name, eval(*value));
    }
  }
  return dict;
}

Arguments Interpreter::eval_arguments(const shims::CallExpr& e) {
  Arguments arguments;
  for (const Argument& argument : e.arguments) {
    if (argument.mapping) {
      const Value more = eval(*argument.value);
      const auto* dict = as<Dict>(more);
      if (dict == nullptr) type_error("the argument after ** must be a mapping");
      for (const auto& [key, value] : dict->entries())
        arguments.named.emplace_back(key.str(), value);
    } else if (const auto* starred = std::get_if<Starred>(&argument.value->node)) {
      for (const Value& value : collect(eval(*starred->value)))
        arguments.positional.push_back(value);
    } else if (argument.name.empty()) {
      arguments.positional.push_back(eval(*argument.value));
    } else {
      arguments.named.emplace_back(argument.name, eval(*argument.value));
    }
  }
  return arguments;
}

Value Interpreter::operator()(const shims::CallExpr& e) {
  const Value callee = eval(*e.callee);
  return call(callee, eval_arguments(e));
}

Value Interpreter::operator()(const FormattedText& e) {
  std::string text;
  for (const FormattedText::Piece& piece : e.pieces) {
    if (piece.value == nullptr) {
      text += piece.text;
      continue;
    }
    Value value = eval(*piece.value);
    if (piece.conversion == 'r') value = heap_.text(repr(heap_, value));
    if (piece.conversion == 'a') value = heap_.text(ascii_repr(heap_, value));
    if (piece.conversion == 's') value = heap_.text(str(value));
    const std::string format = piece.format != nullptr ? eval(*piece.format).str() : std::string();
    text += format.empty() ? str(value) : format_value(heap_, value, format);
  }
  return heap_.text(std::move(text));
}

// Comprehensions.

void Interpreter::comprehend(const Comprehension& e, std::size_t clause,
                             const std::function<void()>& emit) {
  if (clause == e.clauses.size()) return emit();
  const Comprehension::Clause& c = e.clauses[clause];
  Iterator& items = iterate(eval(*c.iterable));
  for (Value item; items.next(heap_, item);) {
    heap_.step();
    assign(*c.target, item);
    bool wanted = true;
    for (const ExprPtr& condition : c.conditions) wanted = wanted && truthy(eval(*condition));
    if (wanted) comprehend(e, clause + 1, emit);
  }
}

/// Lazy where one clause is all: what is not asked for is not computed.
Value Interpreter::generator(const Comprehension& e) {
  const Comprehension::Clause* clause = &e.clauses.front();
  Iterator* items = &iterate(eval(*clause->iterable));
  auto* scope = heap_.make<Scope>(scope_, scope_->module);
  auto next = [this, &e, clause, items, scope](Heap&, Value& out) {
    const ScopeChange change(*this, scope);
    for (Value item; items->next(heap_, item);) {
      assign(*clause->target, item);
      bool wanted = true;
      for (const ExprPtr& condition : clause->conditions)
        wanted = wanted && truthy(eval(*condition));
      if (!wanted) continue;
      out = eval(*e.element);
      return true;
    }
    return false;
  };
  return &make_iterator(heap_, "generator", std::move(next));
}

Value Interpreter::operator()(const Comprehension& e) {
  using Kind = Comprehension::Kind;
  if (e.kind == Kind::generator && e.clauses.size() == 1) return generator(e);
  const ScopeChange change(*this, heap_.make<Scope>(scope_, scope_->module));
  if (e.kind == Kind::dict) {
    auto* dict = heap_.make<Dict>();
    comprehend(e, 0, [&] {
      const Value key = eval(*e.element);
      dict->set(heap_, key, eval(*e.value));
    });
    return dict;
  }
  std::vector<Value> items;
  comprehend(e, 0, [&] { items.push_back(eval(*e.element)); });
  if (e.kind == Kind::set) return set_of(items);
  const Value list = heap_.list(std::move(items));
  if (e.kind == Kind::list) return list;
  return &iterate(list);
}

Value Interpreter::make_function(std::shared_ptr<const FunctionCode> code) {
  auto* function = heap_.make<Function>(std::move(code), scope_);
  for (const auto& parameter : function->code->parameters.list)
    function->defaults.push_back(eval_optional(parameter.otherwise));
  return function;
}

Value Interpreter::operator()(const Lambda& e) {
  return make_function(e.code);
}

}  // namespace tare::shims
