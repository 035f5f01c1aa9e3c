#include <array>

#include "text/jinja/builtin.h"
#include "text/jinja/iterate.h"
#include "text/jinja/methods.h"
#include "text/jinja/operators.h"
#include "text/jinja/output.h"

/// The tests of Jinja2: what may follow `is`.
namespace tare::text::jinja {
namespace {

/// value % divisor == remainder; raises what Python's % raises.
bool leaves(Call& call, const Value& divisor, std::int64_t remainder) {
  return equal(call.heap, binary(call.heap, BinaryOp::modulo, call.self, divisor), remainder);
}

template <CompareOp Op>
Value compared(Call& call) {
  return compare(call.heap, Op, call.self, call.args[0]);
}

template <bool Wanted>
Value is_defined(Call& call) {
  return (as<Undefined>(call.self) == nullptr) == Wanted;
}

template <bool (Value::*Is)() const>
Value is_kind(Call& call) {
  return (call.self.*Is)();
}

template <bool Wanted>
Value is_literally(Call& call) {
  return call.self.is_bool() && call.self.as_bool() == Wanted;
}

Value text_is(Call& call, std::string_view method) {
  const Value text = call.heap.text(str(call.heap, call.self));
  return run_builtin(
      call.heap, *methods_named(method)[static_cast<std::size_t>(MethodOwner::string)], text, {});
}

/// Whether len() and [] work.
Value is_sequence(Call& call) {
  if (call.self.is_string()) return true;
  const auto* undefined = as<Undefined>(call.self);
  return sequence_items(call.self) != nullptr || as<Dict>(call.self) != nullptr ||
         as<Range>(call.self) != nullptr || (undefined != nullptr && !undefined->strict);
}

Value is_iterable(Call& call) {
  require_strictly_defined(call.self);
  return jinja::is_iterable(call.self);
}

Value is_callable(Call& call) {
  const Object* object = call.self.object();
  if (object == nullptr) return false;
  using Kind = Object::Kind;
  return object->kind == Kind::method || object->kind == Kind::function ||
         object->kind == Kind::macro || object->kind == Kind::loop ||
         object->kind == Kind::joiner || object->kind == Kind::undefined;
}

/// `is` of Python, as far as it is defined: numbers and strings of the same text may or may not be
/// one object there; here they are.
Value same_as(Call& call) {
  const Value& a = call.self;
  const Value& b = call.args[0];
  if (a.is_object() || b.is_object()) return a.object() == b.object();
  return a.kind() == b.kind() && equal(call.heap, a, b);
}

Value is_filter(Call& call) {
  static_cast<void>(hash_of(call.heap, call.self));  // raises for lists, as in Python
  return call.self.is_string() && find_filter(call.self.str(), call.heap.options().chat) != nullptr;
}

Value is_test(Call& call) {
  static_cast<void>(hash_of(call.heap, call.self));
  return call.self.is_string() && find_test(call.self.str()) != nullptr;
}

constexpr std::array<Builtin, 39> kTests = {{
    {"odd", [](Call& c) -> Value { return leaves(c, std::int64_t{2}, 1); }},
    {"even", [](Call& c) -> Value { return leaves(c, std::int64_t{2}, 0); }},
    {"divisibleby", [](Call& c) -> Value { return leaves(c, c.args[0], 0); }, 1, {"num"}},
    {"defined", is_defined<true>},
    {"undefined", is_defined<false>},
    {"filter", is_filter},
    {"test", is_test},
    {"none", is_kind<&Value::is_none>},
    {"boolean", is_kind<&Value::is_bool>},
    {"false", is_literally<false>},
    {"true", is_literally<true>},
    {"integer", is_kind<&Value::is_int>},
    {"float", is_kind<&Value::is_real>},
    {"lower", [](Call& c) { return text_is(c, "islower"); }},
    {"upper", [](Call& c) { return text_is(c, "isupper"); }},
    {"string", is_kind<&Value::is_string>},
    {"mapping", [](Call& c) -> Value { return as<Dict>(c.self) != nullptr; }},
    {"number", is_kind<&Value::is_number>},
    {"sequence", is_sequence},
    {"iterable", is_iterable},
    {"callable", is_callable},
    {"sameas", same_as, 1, {"other"}},
    {"escaped", is_kind<&Value::is_markup>},
    {"in", [](Call& c) -> Value { return contains(c.heap, c.args[0], c.self); }, 1, {"seq"}},
    {"==", compared<CompareOp::equal>, 1, {"other"}},
    {"eq", compared<CompareOp::equal>, 1, {"other"}},
    {"equalto", compared<CompareOp::equal>, 1, {"other"}},
    {"!=", compared<CompareOp::not_equal>, 1, {"other"}},
    {"ne", compared<CompareOp::not_equal>, 1, {"other"}},
    {">", compared<CompareOp::greater>, 1, {"other"}},
    {"gt", compared<CompareOp::greater>, 1, {"other"}},
    {"greaterthan", compared<CompareOp::greater>, 1, {"other"}},
    {">=", compared<CompareOp::greater_equal>, 1, {"other"}},
    {"ge", compared<CompareOp::greater_equal>, 1, {"other"}},
    {"<", compared<CompareOp::less>, 1, {"other"}},
    {"lt", compared<CompareOp::less>, 1, {"other"}},
    {"lessthan", compared<CompareOp::less>, 1, {"other"}},
    {"<=", compared<CompareOp::less_equal>, 1, {"other"}},
    {"le", compared<CompareOp::less_equal>, 1, {"other"}},
}};

}  // namespace

const Builtin* find_test(std::string_view name) {
  return find_builtin(kTests, name);
}

}  // namespace tare::text::jinja
