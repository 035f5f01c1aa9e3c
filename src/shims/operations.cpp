#include <fmt/format.h>

#include <algorithm>

#include "shims/builtins.h"
#include "shims/classes.h"
#include "shims/interpreter.h"
#include "text/jinja/attributes.h"
#include "text/jinja/dicts.h"
#include "text/jinja/iterate.h"
#include "text/jinja/methods.h"
#include "text/jinja/operators.h"
#include "text/jinja/output.h"

/// What Python's operators do on values of text::jinja and of this room.
namespace tare::shims {

using text::jinja::fail;
using text::jinja::Iterator;
using text::jinja::type_error;
using text::jinja::type_name;
using text::jinja::unsupported;
using text::jinja::View;

Interpreter::Interpreter(Heap& heap, Caches& caches, FindModule find_module, ReadFile read_file)
    : heap_(heap),
      caches_(caches),
      find_module_(std::move(find_module)),
      read_file_(std::move(read_file)),
      builtins_(make_builtins(heap)) {}

Value Interpreter::native(std::string name, NativeFunction::Body body) {
  return heap_.make<NativeFunction>(std::move(name), std::move(body));
}

std::string Interpreter::read(const std::string& path) {
  auto content = read_file_(path);
  if (!content) unsupported(fmt::format("reading the file {} is not built in", path));
  return std::move(*content);
}

Value Interpreter::member(Scope& module, const std::string& name) {
  const auto it = module.names.find(name);
  if (it == module.names.end()) unsupported(fmt::format("the module has no '{}'", name));
  if (const auto* poison = as_kind<Poison>(it->second))
    unsupported(fmt::format("'{}' cannot be used: {}", name, poison->reason));
  return it->second;
}

Value Interpreter::call(const Value& callee, Arguments arguments) {
  const Heap::Level level(heap_);
  heap_.step();
  if (PyObject* own = as_object(callee)) return own->call(*this, std::move(arguments));
  if (const auto* method = as<text::jinja::Method>(callee))
    return text::jinja::run_builtin(heap_, *method->builtin, method->self, std::move(arguments));
  if (const auto* function = as<text::jinja::Function>(callee))
    return text::jinja::run_builtin(heap_, *function->builtin, {}, std::move(arguments));
  type_error(fmt::format("'{}' object is not callable", type_name(callee)));
}

Value Interpreter::attribute(const Value& object, const std::string& name) {
  if (PyObject* own = as_object(object)) {
    if (Value found = own->attribute(*this, name); !found.is_missing()) return found;
    unsupported(fmt::format("the attribute '{}' of a {} is not built in", name, type_name(object)));
  }
  if (Value found = extra_method(*this, object, name); !found.is_missing()) return found;
  const auto methods = text::jinja::methods_named(name);
  if (const auto* method = text::jinja::method_of(object, methods))
    return heap_.make<text::jinja::Method>(object, method);
  if (as<Dict>(object) != nullptr || as<text::jinja::Tuple>(object) != nullptr ||
      object.is_none() || object.is_string() || object.is_number() || as<List>(object) != nullptr)
    fail(FailureKind::attribute,
         fmt::format("'{}' object has no attribute '{}'", type_name(object), name));
  unsupported(fmt::format("the attribute '{}' of a {} is not built in", name, type_name(object)));
}

Value Interpreter::item(const Value& object, const Value& index) {
  if (PyObject* own = as_object(object)) return own->item(*this, index);
  if (auto* dict = as<Dict>(object)) {
    if (const Value* found = dict->find(heap_, index)) return *found;
    fail(FailureKind::key, text::jinja::repr(heap_, index));
  }
  const bool sequence = object.is_string() || text::jinja::sequence_items(object) != nullptr ||
                        as<text::jinja::Range>(object) != nullptr;
  if (!sequence) type_error(fmt::format("'{}' object is not subscriptable", type_name(object)));
  if (!index.is_integral())
    type_error(fmt::format("indices must be integers, not {}", type_name(index)));
  Value found = text::jinja::get_item(heap_, object, index);
  if (as<text::jinja::Undefined>(found) != nullptr)
    fail(FailureKind::index, fmt::format("{} index out of range", type_name(object)));
  return found;
}

bool Interpreter::truthy(const Value& value) {
  if (PyObject* own = as_object(value)) return own->length().value_or(1) != 0;
  return text::jinja::truthy(value);
}

namespace {

/// A set, or the keys of a dict taken as one; null for other values.
const Dict* as_set(Interpreter& python, const Value& value) {
  if (const auto* set = as_kind<Set>(value)) return set->entries;
  if (const auto* view = as<View>(value); view != nullptr && view->part == View::Part::keys)
    return as_kind<Set>(python.set_of(python.collect(value)))->entries;
  return nullptr;
}

bool is_subset(Heap& heap, const Dict& a, Dict& b) {
  return std::ranges::all_of(
      a.entries(), [&](const Dict::Entry& entry) { return b.find(heap, entry.first) != nullptr; });
}

}  // namespace

bool Interpreter::equal(const Value& a, const Value& b) {
  const auto* left = as_kind<Set>(a);
  const auto* right = as_kind<Set>(b);
  if (left != nullptr && right != nullptr)
    return left->length() == right->length() && is_subset(heap_, *left->entries, *right->entries);
  if (as_object(a) != nullptr || as_object(b) != nullptr)
    return a.is_object() && b.is_object() && a.object() == b.object();
  return text::jinja::equal(heap_, a, b);
}

bool Interpreter::contains(const Value& container, const Value& item) {
  if (auto* set = as_kind<Set>(container)) return set->entries->find(heap_, item) != nullptr;
  if (as_object(container) != nullptr) {
    const std::vector<Value> items = collect(container);
    return std::ranges::any_of(items, [&](const Value& each) { return equal(each, item); });
  }
  return text::jinja::contains(heap_, container, item);
}

namespace {

bool is_same(const Value& a, const Value& b) {
  if (a.is_object() && b.is_object()) return a.object() == b.object();
  if (a.kind() != b.kind()) return false;
  if (a.is_none()) return true;
  if (a.is_bool()) return a.as_bool() == b.as_bool();
  constexpr std::int64_t kFirstCached = -5, kLastCached = 256;  // CPython has these ints once
  const auto cached = [](const Value& v) {
    return v.is_int() && v.as_int() >= kFirstCached && v.as_int() <= kLastCached;
  };
  if (cached(a) && cached(b)) return a.as_int() == b.as_int();
  unsupported("'is' between strings or numbers is not built in");
}

}  // namespace

bool Interpreter::compare(Comparison::Op op, const Value& a, const Value& b) {
  using Op = Comparison::Op;
  switch (op) {
    case Op::equal:
      return equal(a, b);
    case Op::not_equal:
      return !equal(a, b);
    case Op::in:
      return contains(b, a);
    case Op::not_in:
      return !contains(b, a);
    case Op::is:
      return is_same(a, b);
    case Op::is_not:
      return !is_same(a, b);
    default:
      break;
  }
  if (as_object(a) != nullptr || as_object(b) != nullptr)
    unsupported("this comparison of objects is not built in");
  const auto as_jinja = static_cast<text::jinja::CompareOp>(static_cast<int>(op));
  return text::jinja::compare(heap_, as_jinja, a, b);
}

std::vector<Value> Interpreter::collect(const Value& iterable) {
  if (PyObject* own = as_object(iterable)) {
    if (auto items = own->items(*this)) return std::move(*items);
    type_error(fmt::format("'{}' object is not iterable", type_name(iterable)));
  }
  return text::jinja::collect(heap_, iterable);
}

Iterator& Interpreter::iterate(const Value& iterable) {
  if (as_object(iterable) != nullptr)
    return text::jinja::iterate(heap_, heap_.list(collect(iterable)));
  return text::jinja::iterate(heap_, iterable);
}

Value Interpreter::set_of(const std::vector<Value>& items) {
  auto* dict = heap_.make<Dict>();
  for (const Value& item : items) dict->set(heap_, item, true);
  return heap_.make<Set>(dict);
}

Value Interpreter::set_operation(BinaryOp op, const Value& a, const Value& b) {
  const Dict* left = as_set(*this, a);
  const Dict* right = as_set(*this, b);
  std::vector<Value> items;
  auto take = [&](const Dict& from, const Dict& other, bool wanted) {
    for (const auto& [key, unused] : from.entries())
      if ((const_cast<Dict&>(other).find(heap_, key) != nullptr) == wanted) items.push_back(key);
  };
  const Dict nothing;
  if (op == BinaryOp::bit_and) take(*left, *right, true);
  if (op == BinaryOp::subtract || op == BinaryOp::bit_xor) take(*left, *right, false);
  if (op == BinaryOp::bit_xor) take(*right, *left, false);
  if (op == BinaryOp::bit_or) {
    take(*left, nothing, false);
    take(*right, nothing, false);
  }
  return set_of(items);
}

Value Interpreter::binary(BinaryOp op, const Value& a, const Value& b) {
  const bool for_sets = op == BinaryOp::subtract || op >= BinaryOp::bit_and;
  if (for_sets && as_set(*this, a) != nullptr && as_set(*this, b) != nullptr)
    return set_operation(op, a, b);
  if (as_object(a) != nullptr || as_object(b) != nullptr) return object_binary(*this, op, a, b);
  if (op < BinaryOp::bit_and) {
    const auto as_jinja = static_cast<text::jinja::BinaryOp>(static_cast<int>(op));
    return text::jinja::binary(heap_, as_jinja, a, b);
  }
  if (op == BinaryOp::bit_or && as<Dict>(a) != nullptr && as<Dict>(b) != nullptr) {
    auto* merged = heap_.make<Dict>();
    text::jinja::update_dict(heap_, *merged, a, {});
    text::jinja::update_dict(heap_, *merged, b, {});
    return merged;
  }
  if (!a.is_integral() || !b.is_integral())
    type_error("unsupported operand types for a bit operator");
  const std::int64_t x = a.as_int(), y = b.as_int();
  const std::int64_t bits = op == BinaryOp::bit_and  ? x & y
                            : op == BinaryOp::bit_or ? x | y
                                                     : x ^ y;
  return a.is_bool() && b.is_bool() ? Value(bits != 0) : Value(bits);
}

std::string Interpreter::str(const Value& value) {
  if (const auto* exception = as_kind<ExceptionValue>(value)) return exception->message;
  return text::jinja::str(heap_, value);
}

// Objects.

Value PyObject::attribute(Interpreter&, std::string_view) {
  return {};
}
Value PyObject::call(Interpreter&, Arguments) {
  type_error(fmt::format("'{}' object is not callable", python_type()));
}
Value PyObject::item(Interpreter&, const Value&) {
  type_error(fmt::format("'{}' object is not subscriptable", python_type()));
}
void PyObject::set_item(Interpreter&, const Value&, const Value&) {
  type_error(fmt::format("'{}' object does not support item assignment", python_type()));
}
std::optional<std::vector<Value>> PyObject::items(Interpreter&) {
  return std::nullopt;
}

Value NativeFunction::call(Interpreter& python, Arguments arguments) {
  return body(python, arguments);
}

Value TypeObject::call(Interpreter& python, Arguments arguments) {
  return body(python, arguments);
}

Value TypeObject::attribute(Interpreter& python, std::string_view method) {
  if (name == "dict" && method == "fromkeys")
    return python.native("fromkeys", [](Interpreter& p, Arguments& a) -> Value {
      expect_arguments(a, 1, 2, "fromkeys");
      const Value value = a.positional.size() > 1 ? a.positional[1] : Value::none();
      auto* dict = p.heap().make<Dict>();
      Iterator& keys = p.iterate(a.positional[0]);
      for (Value key; keys.next(p.heap(), key);) dict->set(p.heap(), key, value);
      return dict;
    });
  if (name == "str" && method == "maketrans")
    return extra_method(python, python.heap().text(""), method);
  return python.native(std::string(method),
                       [method = std::string(method)](Interpreter& p, Arguments& a) {
                         if (a.positional.empty()) type_error("a method needs its object");
                         const Value self = a.positional.front();
                         a.positional.erase(a.positional.begin());
                         return p.call(p.attribute(self, method), std::move(a));
                       });
}

Value ExceptionType::call(Interpreter& python, Arguments arguments) {
  std::string message;
  if (!arguments.positional.empty() && arguments.positional[0].is_string())
    message = arguments.positional[0].str();
  return python.heap().make<ExceptionValue>(kinds.front(), message);
}

std::vector<Value> Interpreter::in_set_order(std::vector<Value> items) {
  if (items.size() < 2) return items;
  walked_over_set_ = true;
  if (set_order_ == SetOrder::reversed) std::ranges::reverse(items);
  return items;
}

std::optional<std::vector<Value>> Set::items(Interpreter& python) {
  std::vector<Value> found;
  for (const auto& [key, unused] : entries->entries()) found.push_back(key);
  return python.in_set_order(std::move(found));
}

Value Set::attribute(Interpreter& python, std::string_view name) {
  Dict* const own = entries;
  if (name == "add")
    return python.native("add", [own](Interpreter& p, Arguments& a) {
      own->set(p.heap(), a.positional.at(0), true);
      return Value::none();
    });
  static const std::map<std::string_view, BinaryOp> kOperations = {
      {"union", BinaryOp::bit_or},
      {"intersection", BinaryOp::bit_and},
      {"difference", BinaryOp::subtract}};
  const Value self = this;
  if (const auto found = kOperations.find(name); found != kOperations.end())
    return python.native(std::string(name),
                         [self, op = found->second](Interpreter& p, Arguments& a) {
                           return p.binary(op, self, set_from(p, a.positional.at(0)));
                         });
  if (name == "issubset" || name == "isdisjoint" || name == "issuperset")
    return python.native(
        std::string(name), [own, name = std::string(name)](Interpreter& p, Arguments& a) {
          Dict* other = as_kind<Set>(set_from(p, a.positional.at(0)))->entries;
          if (name == "issubset") return Value(is_subset(p.heap(), *own, *other));
          if (name == "issuperset") return Value(is_subset(p.heap(), *other, *own));
          return Value(std::ranges::none_of(own->entries(), [&](const Dict::Entry& e) {
            return other->find(p.heap(), e.first) != nullptr;
          }));
        });
  return {};
}

Value Module::attribute(Interpreter&, std::string_view member) {
  const auto it = members.find(member);
  if (it == members.end()) unsupported(fmt::format("{}.{} is not built in", name, member));
  return it->second;
}

// Calls of functions written in Python.

namespace {

Value take_named(Arguments& arguments, const std::string& name) {
  auto& named = arguments.named;
  const auto it =
      std::ranges::find_if(named, [&](const auto& entry) { return entry.first == name; });
  if (it == named.end()) return {};
  Value value = it->second;
  named.erase(it);
  return value;
}

void bind_rest(Interpreter& python, const FunctionCode& code, std::vector<Value> positional,
               const Arguments& arguments, Scope& scope) {
  if (!code.parameters.star.empty())
    scope.names[code.parameters.star] = python.heap().tuple(std::move(positional));
  else if (!positional.empty())
    type_error(fmt::format("{}() got too many positional arguments", code.name));
  if (!code.parameters.double_star.empty()) {
    auto* dict = python.heap().make<Dict>();
    for (const auto& [name, value] : arguments.named)
      dict->set(python.heap(), python.heap().text(name), value);
    scope.names[code.parameters.double_star] = dict;
  } else if (!arguments.named.empty()) {
    type_error(fmt::format("{}() got an unexpected keyword argument '{}'", code.name,
                           arguments.named[0].first));
  }
}

void bind_parameters(Interpreter& python, const Function& function, Arguments arguments,
                     Scope& scope) {
  const FunctionCode& code = *function.code;
  std::size_t taken = 0;
  for (std::size_t i = 0; i < code.parameters.list.size(); ++i) {
    const auto& parameter = code.parameters.list[i];
    Value value = take_named(arguments, parameter.name);
    if (!parameter.keyword_only && taken < arguments.positional.size()) {
      if (!value.is_missing())
        type_error(fmt::format("{}() got multiple values for '{}'", code.name, parameter.name));
      value = arguments.positional[taken++];
    }
    if (value.is_missing()) value = function.defaults[i];
    if (value.is_missing())
      type_error(fmt::format("{}() is missing the argument '{}'", code.name, parameter.name));
    scope.names[parameter.name] = value;
  }
  std::vector<Value> rest(arguments.positional.begin() + static_cast<std::ptrdiff_t>(taken),
                          arguments.positional.end());
  bind_rest(python, code, std::move(rest), arguments, scope);
}

}  // namespace

Value Function::call(Interpreter& python, Arguments arguments) {
  auto* inner = python.heap().make<Scope>(scope, scope->module);
  if (owner != nullptr && !arguments.positional.empty()) {  // for super()
    inner->names["__class__"] = owner;
    inner->names["__self__"] = arguments.positional.front();
  }
  bind_parameters(python, *this, std::move(arguments), *inner);
  const ScopeChange change(python, inner);
  if (code->result != nullptr) return python.eval(*code->result);
  if (python.run(code->body) == Interpreter::Flow::returned)
    return std::exchange(python.result_, Value());
  return Value::none();
}

}  // namespace tare::shims
