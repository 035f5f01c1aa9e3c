#include <fmt/format.h>

#include <array>
#include <memory>
#include <optional>

#include "base/python.h"
#include "text/jinja/filter_tools.h"
#include "text/jinja/iterate.h"
#include "text/jinja/operators.h"

/// Filters that give a lazy sequence: nothing happens, and nothing fails, before an item is wanted.
namespace tare::text::jinja {
namespace {

constexpr std::string_view kGenerator = "generator";

/// A generator whose `start` runs when the first item is wanted and returns what makes the items.
template <class Start>
Value generator(Heap& heap, Start start) {
  using Next = decltype(start(heap));
  return &make_iterator(heap, kGenerator,
                        [start, next = std::optional<Next>()](Heap& h, Value& out) mutable {
                          if (!next) next.emplace(start(h));
                          return (*next)(h, out);
                        });
}

const Builtin& named_builtin(const Value& name, const Builtin* found, std::string_view what) {
  if (found == nullptr)
    fail(FailureKind::runtime,
         fmt::format("No {} named {}.", what,
                     name.is_string() ? base::python::repr(std::string_view(name.str()))
                                      : std::string(type_name(name))));
  return *found;
}

const Builtin& filter_named(Heap& heap, const Value& name) {
  require_defined(name);
  static_cast<void>(hash_of(heap, name));  // a list cannot name anything: TypeError
  return named_builtin(
      name, name.is_string() ? find_filter(name.str(), heap.options().chat) : nullptr, "filter");
}

const Builtin& test_named(Heap& heap, const Value& name) {
  require_defined(name);
  static_cast<void>(hash_of(heap, name));
  return named_builtin(name, name.is_string() ? find_test(name.str()) : nullptr, "test");
}

Value named_argument(const Arguments& arguments, std::string_view name) {
  for (const auto& [other, value] : arguments.named)
    if (other == name) return value;
  return {};
}

/// What map does to an item: take an attribute or apply a filter.
struct Mapping {
  std::optional<AttributePath> path;
  Value otherwise;
  const Builtin* filter = nullptr;
  Arguments arguments;

  Value operator()(Heap& heap, const Value& item) const {
    return path ? path->get(heap, item, otherwise) : run_builtin(heap, *filter, item, arguments);
  }
};

Mapping mapping(Heap& heap, Arguments arguments) {
  const Value attribute = named_argument(arguments, "attribute");
  if (arguments.positional.empty() && !attribute.is_missing()) {
    for (const auto& [name, value] : arguments.named)
      if (name != "attribute" && name != "default")
        fail(FailureKind::runtime, fmt::format("Unexpected keyword argument '{}'", name));
    return {AttributePath(heap, attribute), named_argument(arguments, "default"), nullptr, {}};
  }
  if (arguments.positional.empty()) fail(FailureKind::runtime, "map requires a filter argument");
  const Builtin& filter = filter_named(heap, arguments.positional.front());
  arguments.positional.erase(arguments.positional.begin());
  return {std::nullopt, {}, &filter, std::move(arguments)};
}

Value map(Call& call) {
  const Value self = call.self;
  const Arguments arguments{call.args, call.named};
  return generator(call.heap, [self, arguments](Heap& heap) {
    Iterator* items = truthy(self) ? &iterate(heap, self) : nullptr;
    const Mapping apply = items != nullptr ? mapping(heap, arguments) : Mapping{};
    return [items, apply](Heap& h, Value& out) {
      Value item;
      if (items == nullptr || !items->next(h, item)) return false;
      h.step();
      out = apply(h, item);
      return true;
    };
  });
}

/// What select and its kin ask of an item.
struct Question {
  AttributePath path;
  const Builtin* test;  ///< null: its truth value
  Arguments arguments;

  bool operator()(Heap& heap, const Value& item) const {
    Value value = path.get(heap, item);
    return truthy(test == nullptr ? value : run_builtin(heap, *test, value, arguments));
  }
};

Question question(Heap& heap, Arguments arguments, bool by_attribute) {
  auto& positional = arguments.positional;
  if (by_attribute && positional.empty())
    fail(FailureKind::runtime, "Missing parameter for attribute name");
  const Value attribute = by_attribute ? positional.front() : Value::none();
  if (by_attribute) positional.erase(positional.begin());
  const Builtin* test = nullptr;
  if (!positional.empty()) {
    test = &test_named(heap, positional.front());
    positional.erase(positional.begin());
  }
  return {AttributePath(heap, attribute), test, std::move(arguments)};
}

template <bool Wanted, bool ByAttribute>
Value select(Call& call) {
  const Value self = call.self;
  const Arguments arguments{call.args, call.named};
  return generator(call.heap, [self, arguments](Heap& heap) {
    Iterator* items = truthy(self) ? &iterate(heap, self) : nullptr;
    std::shared_ptr<const Question> ask;
    if (items != nullptr)
      ask = std::make_shared<const Question>(question(heap, arguments, ByAttribute));
    return [items, ask](Heap& h, Value& out) {
      if (items == nullptr) return false;
      for (Value item; items->next(h, item);) {
        h.step();
        if ((*ask)(h, item) != Wanted) continue;
        out = std::move(item);
        return true;
      }
      return false;
    };
  });
}

Value unique(Call& call) {
  const Value self = call.self;
  const bool case_sensitive = call.flag(0, false);
  const AttributePath path(call.heap, call.value(1));
  return generator(call.heap, [=](Heap& heap) {
    Iterator* items = &iterate(heap, self);
    auto* seen = heap.make<Dict>();
    return [=](Heap& h, Value& out) {
      for (Value item; items->next(h, item);) {
        h.step();
        Value key = path.get(h, item);
        if (!case_sensitive) key = ignore_case(h, key);
        if (seen->find(h, key) != nullptr) continue;
        seen->set(h, key, true);
        out = std::move(item);
        return true;
      }
      return false;
    };
  });
}

std::int64_t size_of(const std::vector<Value>& row) {
  return static_cast<std::int64_t>(row.size());
}

/// Fills `row` up; without a fill value it stays short.
void pad(Heap& heap, std::vector<Value>& row, const Value& size, const Value& fill) {
  if (fill.is_none() || !compare(heap, CompareOp::less, size_of(row), size)) return;
  const Value missing = binary(heap, BinaryOp::subtract, size, size_of(row));
  if (!missing.is_integral()) type_error("can't multiply sequence by non-int of type 'float'");
  heap.charge_items(static_cast<std::size_t>(missing.as_int()));
  row.insert(row.end(), static_cast<std::size_t>(missing.as_int()), fill);
}

Value batch(Call& call) {
  const Value self = call.self, size = call.args[0], fill = call.value(1);
  return generator(call.heap, [=](Heap& heap) {
    Iterator* items = &iterate(heap, self);
    return [=, held = Value()](Heap& h, Value& out) mutable {
      std::vector<Value> row;
      if (!held.is_missing()) row.push_back(std::exchange(held, Value()));
      for (Value item; items->next(h, item);) {
        h.step();
        if (equal(h, size_of(row), size)) {
          held = std::move(item);
          out = h.list(std::move(row));
          return true;
        }
        row.push_back(std::move(item));
      }
      if (row.empty()) return false;
      pad(h, row, size, fill);
      out = h.list(std::move(row));
      return true;
    };
  });
}

Value slice(Call& call) {
  const Value self = call.self, count = call.args[0], fill = call.value(1);
  return generator(call.heap, [=](Heap& heap) {
    auto* seq = heap.make<List>(collect(heap, self));
    const auto length = static_cast<std::int64_t>(seq->items.size());
    const Value quotient = binary(heap, BinaryOp::floor_divide, length, count);
    if (!count.is_integral()) type_error("'float' object cannot be interpreted as an integer");
    const std::int64_t each = quotient.as_int();
    const std::int64_t longer = binary(heap, BinaryOp::modulo, length, count).as_int();
    return [=, number = std::int64_t{0}](Heap& h, Value& out) mutable {
      if (number >= count.as_int()) return false;
      const std::int64_t start = number * each + std::min(number, longer);
      const std::int64_t end = start + each + (number < longer ? 1 : 0);
      std::vector<Value> column(seq->items.begin() + start, seq->items.begin() + end);
      if (!fill.is_none() && number >= longer) column.push_back(fill);
      ++number;
      h.step();
      out = h.list(std::move(column));
      return true;
    };
  });
}

Value items(Call& call) {
  const Value self = call.self;
  return generator(call.heap, [self](Heap& heap) {
    auto* dict = as<Dict>(self);
    if (dict == nullptr && as<Undefined>(self) == nullptr)
      type_error("Can only get item pairs from a mapping.");
    Iterator* pairs =
        dict == nullptr ? nullptr : &iterate(heap, heap.make<View>(dict, View::Part::items));
    return [pairs](Heap& h, Value& out) { return pairs != nullptr && pairs->next(h, out); };
  });
}

constexpr std::array<Builtin, 9> kFilters = {{
    {"map", map, 0, {}, Builtin::variadic},
    {"select", select<true, false>, 0, {}, Builtin::variadic},
    {"reject", select<false, false>, 0, {}, Builtin::variadic},
    {"selectattr", select<true, true>, 0, {}, Builtin::variadic},
    {"rejectattr", select<false, true>, 0, {}, Builtin::variadic},
    {"unique", unique, 0, {"case_sensitive", "attribute"}},
    {"batch", batch, 1, {"linecount", "fill_with"}},
    {"slice", slice, 1, {"slices", "fill_with"}},
    {"items", items},
}};

}  // namespace

std::span<const Builtin> lazy_filters() {
  return kFilters;
}

}  // namespace tare::text::jinja
