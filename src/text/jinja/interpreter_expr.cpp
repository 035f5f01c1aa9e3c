#include <fmt/format.h>

#include "text/jinja/at_line.h"
#include "text/jinja/attributes.h"
#include "text/jinja/interpreter.h"
#include "text/jinja/iterate.h"
#include "text/jinja/output.h"

namespace tare::text::jinja {

Value Interpreter::eval(const Expr& e) {
  const Heap::Level level(heap_);
  return at_line(e.line, [&] { return std::visit(*this, e.node); });
}

Value Interpreter::operator()(const Literal& e) {
  return e.value.is_string() ? Value::borrowed(e.value.str()) : e.value;
}

Value Interpreter::operator()(const Name& e) {
  return variable(e.ref);
}

Value Interpreter::operator()(const GetAttribute& e) {
  return get_attribute(heap_, eval(*e.object), e.name, e.methods);
}

Value Interpreter::operator()(const GetItem& e) {
  const Value object = eval(*e.object);
  return get_item(heap_, object, eval(*e.index));
}

Value Interpreter::operator()(const GetSlice& e) {
  const Value object = eval(*e.object);
  const Value start = eval_optional(e.start), stop = eval_optional(e.stop);
  return get_slice(heap_, object, start, stop, eval_optional(e.step));
}

Value Interpreter::operator()(const Unary& e) {
  return unary(heap_, e.op, eval(*e.operand));
}

Value Interpreter::operator()(const Binary& e) {
  const Value left = eval(*e.left);
  return binary(heap_, e.op, left, eval(*e.right));
}

Value Interpreter::operator()(const Not& e) {
  return !truthy(eval(*e.operand));
}

Value Interpreter::operator()(const Logic& e) {
  Value left = eval(*e.left);
  return truthy(left) == e.is_or ? left : eval(*e.right);
}

Value Interpreter::operator()(const Comparison& e) {
  Value left = eval(*e.first);
  for (const auto& [op, operand] : e.links) {
    Value right = eval(*operand);
    if (!compare(heap_, op, left, right)) return false;
    left = std::move(right);
  }
  return true;
}

Value Interpreter::operator()(const Concat& e) {
  std::vector<Value> parts;
  parts.reserve(e.parts.size());
  for (const ExprPtr& part : e.parts) parts.push_back(eval(*part));
  std::string text;
  for (const Value& part : parts) append_str(heap_, text, part);
  return heap_.text(std::move(text));
}

Value Interpreter::operator()(const Conditional& e) {
  if (truthy(eval(*e.test))) return eval(*e.then);
  if (e.otherwise != nullptr) return eval(*e.otherwise);
  return heap_.lenient_undefined(
      fmt::format("the inline if-expression on line {} evaluated to false and no else section was "
                  "defined.",
                  e.line));
}

Value Interpreter::operator()(const Sequence& e) {
  std::vector<Value> items;
  items.reserve(e.items.size());
  for (const ExprPtr& item : e.items) items.push_back(eval(*item));
  return e.is_tuple ? heap_.tuple(std::move(items)) : heap_.list(std::move(items));
}

Value Interpreter::operator()(const DictLiteral& e) {
  auto* dict = heap_.make<Dict>();
  for (const auto& [key, value] : e.entries) {
    const Value name = eval(*key);
    dict->set(heap_, name, eval(*value));
  }
  return dict;
}

Value Interpreter::operator()(const CallExpr& e) {
  return evaluate_call(e, {});
}

Value Interpreter::operator()(const FilterExpr& e) {
  if (e.builtin == nullptr) fail(FailureKind::runtime, "No filter named '" + e.name + "' found.");
  Value input = e.input != nullptr ? eval(*e.input) : block_text_;
  return run_builtin(heap_, *e.builtin, std::move(input), eval_arguments(e.arguments));
}

Value Interpreter::operator()(const TestExpr& e) {
  if (e.builtin == nullptr) fail(FailureKind::runtime, "No test named '" + e.name + "' found.");
  Value input = eval(*e.input);
  return run_builtin(heap_, *e.builtin, std::move(input), eval_arguments(e.arguments));
}

}  // namespace tare::text::jinja
