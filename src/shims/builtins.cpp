#include "shims/builtins.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/unicode.h"
#include "shims/classes.h"
#include "text/jinja/dicts.h"
#include "text/jinja/format.h"
#include "text/jinja/iterate.h"
#include "text/jinja/methods.h"
#include "text/jinja/operators.h"
#include "text/jinja/output.h"
#include "text/jinja/rounding.h"
#include "text/jinja/sort.h"
#include "text/jinja/strings.h"

namespace tare::shims {

using text::jinja::fail;
using text::jinja::Iterator;
using text::jinja::type_error;
using text::jinja::type_name;
using text::jinja::unsupported;
using text::jinja::value_error;

Value argument(const Arguments& arguments, std::size_t position, std::string_view name) {
  if (position < arguments.positional.size()) return arguments.positional[position];
  for (const auto& [given, value] : arguments.named)
    if (!name.empty() && given == name) return value;
  return {};
}

std::string text_argument(const Arguments& arguments, std::size_t position, std::string_view name) {
  const Value value = argument(arguments, position, name);
  if (!value.is_string()) type_error(fmt::format("expected str, got {}", type_name(value)));
  return value.str();
}

void expect_arguments(const Arguments& arguments, std::size_t least, std::size_t most,
                      std::string_view function) {
  if (arguments.positional.size() < least || arguments.positional.size() > most ||
      !arguments.named.empty())
    type_error(fmt::format("{}() got other arguments than it takes", function));
}

std::vector<Value> sorted_by(Interpreter& python, std::vector<Value> items, const Value& key,
                             bool reverse) {
  const bool plain = key.is_missing() || key.is_none();
  return text::jinja::sorted(
      python.heap(), std::move(items),
      [&](const Value& item) { return plain ? item : python.call(key, {item}); }, reverse);
}

Value set_from(Interpreter& python, const Value& iterable) {
  if (const auto* set = as_kind<Set>(iterable)) {
    std::vector<Value> items;
    for (const auto& [key, unused] : set->entries->entries()) items.push_back(key);
    return python.set_of(items);
  }
  return python.set_of(python.collect(iterable));
}

namespace {

/// The items of any iterable where their order does not matter.
std::vector<Value> in_any_order(Interpreter& python, const Value& iterable) {
  if (const auto* set = as_kind<Set>(iterable)) {
    std::vector<Value> items;
    for (const auto& [key, unused] : set->entries->entries()) items.push_back(key);
    return items;
  }
  return python.collect(iterable);
}

Value len(Interpreter&, Arguments& a) {
  expect_arguments(a, 1, 1, "len");
  if (const PyObject* own = as_object(a.positional[0]))
    if (const auto length = own->length()) return static_cast<std::int64_t>(*length);
  return text::jinja::length_of(a.positional[0]);
}

Value enumerate(Interpreter& python, Arguments& a) {
  const Value start = argument(a, 1, "start");
  Iterator* items = &python.iterate(argument(a, 0, "iterable"));
  auto next = [items, i = start.is_missing() ? std::int64_t{0} : start.as_int()](
                  Heap& heap, Value& out) mutable {
    Value item;
    if (!items->next(heap, item)) return false;
    out = heap.tuple({i++, item});
    return true;
  };
  return &text::jinja::make_iterator(python.heap(), "enumerate", std::move(next));
}

Value zip(Interpreter& python, Arguments& a) {
  const Value option = argument(a, 99, "strict");
  const bool strict = !option.is_missing() && python.truthy(option);
  std::vector<Iterator*> sources;
  for (const Value& each : a.positional) sources.push_back(&python.iterate(each));
  auto next = [sources, strict](Heap& heap, Value& out) {
    std::vector<Value> items;
    std::size_t ended = 0;
    for (Iterator* source : sources) {
      Value item;
      if (source->next(heap, item))
        items.push_back(std::move(item));
      else if (++ended; !strict)
        return false;
    }
    if (ended != 0 && ended != sources.size())
      value_error("zip(): the arguments have different lengths");
    if (items.empty()) return false;
    out = heap.tuple(std::move(items));
    return true;
  };
  return &text::jinja::make_iterator(python.heap(), "zip", std::move(next));
}

Value map(Interpreter& python, Arguments& a) {
  expect_arguments(a, 2, 2, "map");
  Iterator* items = &python.iterate(a.positional[1]);
  auto next = [&python, items, function = a.positional[0]](Heap& heap, Value& out) {
    Value item;
    if (!items->next(heap, item)) return false;
    out = python.call(function, {item});
    return true;
  };
  return &text::jinja::make_iterator(python.heap(), "map", std::move(next));
}

Value filter(Interpreter& python, Arguments& a) {
  expect_arguments(a, 2, 2, "filter");
  Iterator* items = &python.iterate(a.positional[1]);
  auto next = [&python, items, function = a.positional[0]](Heap& heap, Value& out) {
    for (Value item; items->next(heap, item);) {
      if (!python.truthy(function.is_none() ? item : python.call(function, {item}))) continue;
      out = item;
      return true;
    }
    return false;
  };
  return &text::jinja::make_iterator(python.heap(), "filter", std::move(next));
}

Value next_item(Interpreter& python, Arguments& a) {
  expect_arguments(a, 1, 2, "next");
  auto* iterator = as<Iterator>(a.positional[0]);
  if (iterator == nullptr)
    type_error(fmt::format("'{}' object is not an iterator", type_name(a.positional[0])));
  Value item;
  if (iterator->next(python.heap(), item)) return item;
  if (a.positional.size() == 2) return a.positional[1];
  unsupported("next() at the end (StopIteration) is not built in");
}

template <bool Any>
Value any_or_all(Interpreter& python, Arguments& a) {
  expect_arguments(a, 1, 1, Any ? "any" : "all");
  if (as_kind<Set>(a.positional[0]) != nullptr) {
    for (const Value& item : in_any_order(python, a.positional[0]))
      if (python.truthy(item) == Any) return Any;
    return !Any;
  }
  Iterator& items = python.iterate(a.positional[0]);
  for (Value item; items.next(python.heap(), item);)
    if (python.truthy(item) == Any) return Any;
  return !Any;
}

Value sum(Interpreter& python, Arguments& a) {
  const Value start = argument(a, 1, "start");
  Value total = start.is_missing() ? Value(std::int64_t{0}) : start;
  Iterator& items = python.iterate(argument(a, 0));
  for (Value item; items.next(python.heap(), item);)
    total = python.binary(BinaryOp::add, total, item);
  return total;
}

template <bool Largest>
Value extreme(Interpreter& python, Arguments& a) {
  const Value key = argument(a, 99, "key"), otherwise = argument(a, 99, "default");
  const bool plain = key.is_missing() || key.is_none();
  const std::vector<Value> items = a.positional.size() != 1 ? a.positional
                                   : plain                  ? in_any_order(python, a.positional[0])
                                                            : python.collect(a.positional[0]);
  if (items.empty()) {
    if (!otherwise.is_missing()) return otherwise;
    value_error(Largest ? "max() arg is an empty sequence" : "min() arg is an empty sequence");
  }
  auto measure = [&](const Value& item) { return plain ? item : python.call(key, {item}); };
  Value best = items[0], best_key = measure(items[0]);
  for (std::size_t i = 1; i < items.size(); ++i) {
    const Value current = measure(items[i]);
    const bool better = Largest ? text::jinja::less(python.heap(), best_key, current)
                                : text::jinja::less(python.heap(), current, best_key);
    if (!better) continue;
    best = items[i];
    best_key = current;
  }
  return best;
}

Value sorted(Interpreter& python, Arguments& a) {
  const Value key = argument(a, 99, "key"), reverse = argument(a, 99, "reverse");
  const Value from = argument(a, 0);
  std::vector<Value> items = key.is_missing() ? in_any_order(python, from) : python.collect(from);
  return python.heap().list(
      sorted_by(python, std::move(items), key, !reverse.is_missing() && python.truthy(reverse)));
}

Value reversed(Interpreter& python, Arguments& a) {
  expect_arguments(a, 1, 1, "reversed");
  return &text::jinja::reversed(python.heap(), a.positional[0]);
}

Value absolute(Interpreter&, Arguments& a) {
  expect_arguments(a, 1, 1, "abs");
  const Value& number = a.positional[0];
  if (number.is_real()) return std::abs(number.as_real());
  if (!number.is_integral()) type_error("bad operand type for abs()");
  return std::abs(number.as_int());
}

Value round_number(Interpreter&, Arguments& a) {
  const Value number = argument(a, 0, "number"), digits = argument(a, 1, "ndigits");
  const bool whole = digits.is_missing() || digits.is_none();
  if (number.is_integral())
    return whole ? Value(number.as_int())
                 : Value(text::jinja::round_integer(number.as_int(), digits.as_int()));
  if (!number.is_real()) type_error("type has no __round__ method");
  if (!whole) return text::jinja::round_real(number.as_real(), digits.as_int());
  const double rounded = text::jinja::round_real(number.as_real(), 0);
  if (!std::isfinite(rounded) || std::abs(rounded) > 9e18) value_error("cannot convert to integer");
  return static_cast<std::int64_t>(rounded);
}

Value character(Interpreter& python, Arguments& a) {
  expect_arguments(a, 1, 1, "chr");
  if (!a.positional[0].is_integral()) type_error("an integer is required");
  const std::int64_t code = a.positional[0].as_int();
  if (code < 0 || code > 0x10FFFF) value_error("chr() arg not in range(0x110000)");
  std::string text;
  base::unicode::append(text, static_cast<char32_t>(code));
  return python.heap().text(std::move(text));
}

Value ordinal(Interpreter&, Arguments& a) {
  expect_arguments(a, 1, 1, "ord");
  const auto code = base::unicode::to_utf32(text_argument(a, 0));
  if (code.size() != 1) type_error("ord() expected a character");
  return static_cast<std::int64_t>(code[0]);
}

Value is_instance(Interpreter& python, Arguments& a) {
  expect_arguments(a, 2, 2, "isinstance");
  const bool several = as<text::jinja::Tuple>(a.positional[1]) != nullptr;
  const std::vector<Value> types =
      several ? python.collect(a.positional[1]) : std::vector<Value>{a.positional[1]};
  return std::ranges::any_of(types, [&](const Value& type) {
    const auto* known = as_kind<TypeObject>(type);
    if (known == nullptr) unsupported("isinstance() of this type is not built in");
    return known->test(a.positional[0]);
  });
}

/// globals(): the names of the module, to be set alone.
struct Globals final : PyObject {
  explicit Globals(Scope* of) : module(of) {}
  [[nodiscard]] std::string_view python_type() const override { return "dict"; }
  void set_item(Interpreter&, const Value& name, const Value& value) override {
    module->names[name.str()] = value;
  }
  Value attribute(Interpreter& python, std::string_view name) override {
    if (name != "update") return {};
    return python.native("update", [this](Interpreter& p, Arguments& names) {
      auto* dict = p.heap().make<Dict>();
      text::jinja::update_dict(p.heap(), *dict, argument(names, 0), names.named);
      for (const auto& [key, value] : dict->entries()) module->names[key.str()] = value;
      return Value::none();
    });
  }
  Scope* module;
};

Value globals(Interpreter& python, Arguments& a) {
  expect_arguments(a, 0, 0, "globals");
  return python.heap().make<Globals>(python.scope().module);
}

Value nothing(Interpreter&, Arguments&) {
  return Value::none();
}

Value representation(Interpreter& python, Arguments& a) {
  expect_arguments(a, 1, 1, "repr");
  return python.heap().text(text::jinja::repr(python.heap(), a.positional[0]));
}

// Types.

Value make_str(Interpreter& python, Arguments& a) {
  expect_arguments(a, 0, 1, "str");
  return python.heap().text(a.positional.empty() ? std::string() : python.str(a.positional[0]));
}

Value make_int(Interpreter&, Arguments& a) {
  expect_arguments(a, 0, 2, "int");
  if (a.positional.empty()) return std::int64_t{0};
  const Value& from = a.positional[0];
  const int number_base = a.positional.size() > 1 ? static_cast<int>(a.positional[1].as_int()) : 10;
  if (from.is_integral()) return from.as_int();
  if (from.is_real()) {
    if (!std::isfinite(from.as_real()) || std::abs(from.as_real()) > 9e18)
      value_error("cannot convert float to integer");
    return static_cast<std::int64_t>(from.as_real());
  }
  if (!from.is_string())
    type_error(
        fmt::format("int() argument must be a string or a number, not '{}'", type_name(from)));
  if (const auto number = text::jinja::parse_python_int(from.str(), number_base)) return *number;
  value_error(fmt::format("invalid literal for int(): '{}'", from.str()));
}

Value make_float(Interpreter&, Arguments& a) {
  expect_arguments(a, 0, 1, "float");
  if (a.positional.empty()) return 0.0;
  const Value& from = a.positional[0];
  if (from.is_number()) return from.as_real();
  if (!from.is_string())
    type_error(
        fmt::format("float() argument must be a string or a number, not '{}'", type_name(from)));
  if (const auto number = text::jinja::parse_python_float(from.str())) return *number;
  value_error(fmt::format("could not convert string to float: '{}'", from.str()));
}

Value make_bool(Interpreter& python, Arguments& a) {
  expect_arguments(a, 0, 1, "bool");
  return !a.positional.empty() && python.truthy(a.positional[0]);
}

Value make_list(Interpreter& python, Arguments& a) {
  expect_arguments(a, 0, 1, "list");
  return python.heap().list(a.positional.empty() ? std::vector<Value>()
                                                 : python.collect(a.positional[0]));
}

Value make_tuple(Interpreter& python, Arguments& a) {
  expect_arguments(a, 0, 1, "tuple");
  return python.heap().tuple(a.positional.empty() ? std::vector<Value>()
                                                  : python.collect(a.positional[0]));
}

Value make_dict(Interpreter& python, Arguments& a) {
  auto* dict = python.heap().make<Dict>();
  Value from = argument(a, 0);
  if (as_object(from) != nullptr) from = python.heap().list(python.collect(from));
  text::jinja::update_dict(python.heap(), *dict, from, a.named);
  return dict;
}

Value make_set(Interpreter& python, Arguments& a) {
  expect_arguments(a, 0, 1, "set");
  return a.positional.empty() ? python.set_of({}) : set_from(python, a.positional[0]);
}

struct TypeRow {
  std::string_view name;
  Value (*make)(Interpreter&, Arguments&);
  TypeObject::Test test;
};

constexpr std::array<TypeRow, 9> kTypes = {{
    {"str", make_str, [](const Value& v) { return v.is_string(); }},
    {"int", make_int, [](const Value& v) { return v.is_integral(); }},
    {"float", make_float, [](const Value& v) { return v.is_real(); }},
    {"bool", make_bool, [](const Value& v) { return v.is_bool(); }},
    {"list", make_list, [](const Value& v) { return as<List>(v) != nullptr; }},
    {"tuple", make_tuple, [](const Value& v) { return as<text::jinja::Tuple>(v) != nullptr; }},
    {"dict", make_dict, [](const Value& v) { return as<Dict>(v) != nullptr; }},
    {"set", make_set, [](const Value& v) { return as_kind<Set>(v) != nullptr; }},
    {"frozenset", make_set, [](const Value&) { return false; }},
}};

struct FunctionRow {
  std::string_view name;
  Value (*body)(Interpreter&, Arguments&);
};

constexpr std::array<FunctionRow, 23> kFunctions = {{
    {"len", len},
    {"enumerate", enumerate},
    {"zip", zip},
    {"map", map},
    {"filter", filter},
    {"next", next_item},
    {"any", any_or_all<true>},
    {"all", any_or_all<false>},
    {"sum", sum},
    {"max", extreme<true>},
    {"min", extreme<false>},
    {"sorted", sorted},
    {"reversed", reversed},
    {"abs", absolute},
    {"round", round_number},
    {"chr", character},
    {"ord", ordinal},
    {"isinstance", is_instance},
    {"globals", globals},
    {"print", nothing},
    {"repr", representation},
    {"super", super_of},
    {"iter",
     [](Interpreter& python, Arguments& a) -> Value { return &python.iterate(argument(a, 0)); }},
}};

void add_exceptions(Heap& heap, std::unordered_map<std::string, Value>& names) {
  using Kind = FailureKind;
  const std::vector<Kind> all = {Kind::runtime,   Kind::type,     Kind::value,
                                 Kind::index,     Kind::key,      Kind::zero_division,
                                 Kind::attribute, Kind::assertion};
  const std::vector<std::pair<std::string_view, std::vector<Kind>>> rows = {
      {"Exception", all},
      {"BaseException", all},
      {"ValueError", {Kind::value}},
      {"TypeError", {Kind::type}},
      {"KeyError", {Kind::key}},
      {"IndexError", {Kind::index}},
      {"LookupError", {Kind::index, Kind::key}},
      {"AttributeError", {Kind::attribute}},
      {"AssertionError", {Kind::assertion}},
      {"ZeroDivisionError", {Kind::zero_division}},
      {"RuntimeError", {Kind::runtime}},
      {"NotImplementedError", {Kind::runtime}},
  };
  for (const auto& [name, kinds] : rows)
    names[std::string(name)] = heap.make<ExceptionType>(std::string(name), kinds);
}

// Methods.

Value sort_list(Interpreter& python, List& list, const Arguments& a) {
  const Value key = argument(a, 99, "key"), reverse = argument(a, 99, "reverse");
  list.items = sorted_by(python, list.items, key, !reverse.is_missing() && python.truthy(reverse));
  return Value::none();
}

/// str.translate with a table from str.maketrans: code point to text, code point or None.
Value translate(Interpreter& python, const std::string& text, const Value& table) {
  auto* map = as<Dict>(table);
  if (map == nullptr) type_error("translate() needs a table");
  std::string out;
  for (const char32_t code : base::unicode::to_utf32(text)) {
    const Value* found = map->find(python.heap(), static_cast<std::int64_t>(code));
    if (found == nullptr)
      base::unicode::append(out, code);
    else if (found->is_string())
      out += found->str();
    else if (found->is_int())
      base::unicode::append(out, static_cast<char32_t>(found->as_int()));
  }
  return python.heap().text(std::move(out));
}

Value make_table(Interpreter& python, const Arguments& a) {
  auto* table = python.heap().make<Dict>();
  auto code = [](char32_t c) { return Value(static_cast<std::int64_t>(c)); };
  if (auto* from = as<Dict>(argument(a, 0))) {
    for (const auto& [key, value] : from->entries())
      table->set(python.heap(),
                 key.is_string() ? code(base::unicode::to_utf32(key.str()).at(0)) : key, value);
    return table;
  }
  const auto from = base::unicode::to_utf32(text_argument(a, 0));
  const auto to = base::unicode::to_utf32(text_argument(a, 1));
  if (from.size() != to.size()) value_error("maketrans arguments must have equal length");
  for (std::size_t i = 0; i < from.size(); ++i)
    table->set(python.heap(), code(from[i]), code(to[i]));
  if (a.positional.size() > 2)
    for (const char32_t c : base::unicode::to_utf32(text_argument(a, 2)))
      table->set(python.heap(), code(c), Value::none());
  return table;
}

}  // namespace

Value extra_method(Interpreter& python, const Value& object, std::string_view name) {
  if (auto* list = as<List>(object); list != nullptr && name == "sort")
    return python.native("sort",
                         [list](Interpreter& p, Arguments& a) { return sort_list(p, *list, a); });
  if (auto* list = as<List>(object); list != nullptr && name == "reverse")
    return python.native("reverse", [list](Interpreter&, Arguments& a) {
      expect_arguments(a, 0, 0, "reverse");
      std::ranges::reverse(list->items);
      return Value::none();
    });
  if (auto* list = as<List>(object); list != nullptr && name == "extend")
    return python.native("extend", [list](Interpreter& p, Arguments& a) {
      const std::vector<Value> more = p.collect(argument(a, 0));
      list->items.insert(list->items.end(), more.begin(), more.end());
      return Value::none();
    });
  if (object.is_string() && name == "translate")
    return python.native("translate", [object](Interpreter& p, Arguments& a) {
      return translate(p, object.str(), argument(a, 0));
    });
  if (object.is_string() && name == "encode")
    return python.native("encode", [object](Interpreter& p, Arguments& a) -> Value {
      if (const Value code = argument(a, 0, "encoding"); code.is_string() && code.str() != "utf-8")
        unsupported("only the encoding utf-8 is built in");
      return p.heap().make<Bytes>(object.str());
    });
  if (object.is_string() && name == "maketrans")
    return python.native("maketrans",
                         [](Interpreter& p, Arguments& a) { return make_table(p, a); });
  if (object.is_string() && name == "join")
    return python.native("join", [object](Interpreter& p, Arguments& a) {
      const Value items = p.heap().list(p.collect(argument(a, 0)));
      const auto* method = text::jinja::method_of(object, text::jinja::methods_named("join"));
      for (const Value& item : *text::jinja::sequence_items(items))
        if (!item.is_string()) type_error("sequence item: expected str instance");
      return text::jinja::run_builtin(p.heap(), *method, object, {{items}, {}});
    });
  return {};
}

std::unordered_map<std::string, Value> make_builtins(Heap& heap) {
  std::unordered_map<std::string, Value> names;
  for (const FunctionRow& row : kFunctions)
    names[std::string(row.name)] = heap.make<NativeFunction>(std::string(row.name), row.body);
  for (const TypeRow& row : kTypes)
    names[std::string(row.name)] = heap.make<TypeObject>(std::string(row.name), row.make, row.test);
  names["range"] = heap.make<text::jinja::Function>(text::jinja::find_global("range", false));
  add_exceptions(heap, names);
  return names;
}

}  // namespace tare::shims
