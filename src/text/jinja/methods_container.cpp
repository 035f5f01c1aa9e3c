#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "text/jinja/dicts.h"
#include "text/jinja/iterate.h"
#include "text/jinja/methods.h"
#include "text/jinja/output.h"
#include "text/jinja/sort.h"

/// Methods of list, tuple, dict and range.
namespace tare::text::jinja {
namespace {

List& list_of(Call& call) {
  return *as<List>(call.self);
}
Dict& dict_of(Call& call) {
  return *as<Dict>(call.self);
}

bool same_or_equal(Call& call, const Value& a, const Value& b) {
  call.heap.step();
  return (a.is_object() && a.object() == b.object()) || equal(call.heap, a, b);
}

std::size_t clamp_index(std::int64_t index, std::size_t size) {
  const auto length = static_cast<std::int64_t>(size);
  if (index < 0) index += length;
  return static_cast<std::size_t>(std::clamp<std::int64_t>(index, 0, length));
}

// list and tuple

Value append(Call& call) {
  call.heap.charge_items(1);
  list_of(call).items.push_back(call.args[0]);
  return Value::none();
}

Value extend(Call& call) {
  const std::vector<Value> more = collect(call.heap, call.args[0]);
  auto& items = list_of(call).items;
  items.insert(items.end(), more.begin(), more.end());
  return Value::none();
}

Value insert(Call& call) {
  auto& items = list_of(call).items;
  const std::size_t at = clamp_index(call.integer(0, 0), items.size());
  call.heap.charge_items(1);
  call.heap.step((items.size() - at) / 8);
  items.insert(items.begin() + static_cast<std::ptrdiff_t>(at), call.args[1]);
  return Value::none();
}

Value pop(Call& call) {
  auto& items = list_of(call).items;
  if (items.empty()) fail(FailureKind::index, "pop from empty list");
  std::int64_t at = call.integer(0, -1);
  if (at < 0) at += static_cast<std::int64_t>(items.size());
  if (at < 0 || at >= static_cast<std::int64_t>(items.size()))
    fail(FailureKind::index, "pop index out of range");
  Value value = items[static_cast<std::size_t>(at)];
  call.heap.step((items.size() - static_cast<std::size_t>(at)) / 8);
  items.erase(items.begin() + at);
  return value;
}

Value remove(Call& call) {
  auto& items = list_of(call).items;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (!same_or_equal(call, items[i], call.args[0])) continue;
    items.erase(items.begin() + static_cast<std::ptrdiff_t>(i));
    return Value::none();
  }
  value_error("list.remove(x): x not in list");
}

Value index(Call& call) {
  const auto& items = *sequence_items(call.self);
  const std::size_t start = call.has(1) ? clamp_index(call.integer(1, 0), items.size()) : 0;
  const std::size_t stop =
      call.has(2) ? clamp_index(call.integer(2, 0), items.size()) : items.size();
  for (std::size_t i = start; i < stop; ++i)
    if (same_or_equal(call, items[i], call.args[0])) return static_cast<std::int64_t>(i);
  if (as<Tuple>(call.self) != nullptr) value_error("tuple.index(x): x not in tuple");
  value_error(repr(call.heap, call.args[0]) + " is not in list");
}

Value count(Call& call) {
  std::int64_t found = 0;
  for (const Value& item : *sequence_items(call.self))
    found += same_or_equal(call, item, call.args[0]) ? 1 : 0;
  return found;
}

Value sort(Call& call) {
  if (!call.value(0).is_none()) unsupported("list.sort(key=...) is not built in; apply |sort");
  auto& items = list_of(call).items;
  items = sorted(
      call.heap, items, [](const Value& item) { return item; }, call.flag(1, false));
  return Value::none();
}

Value reverse(Call& call) {
  auto& items = list_of(call).items;
  call.heap.step(items.size());
  std::reverse(items.begin(), items.end());
  return Value::none();
}

Value copy_list(Call& call) {
  return call.heap.list(collect(call.heap, call.self));
}

Value clear_list(Call& call) {
  list_of(call).items.clear();
  return Value::none();
}

// dict

template <View::Part Part>
Value view(Call& call) {
  return call.heap.make<View>(&dict_of(call), Part);
}

Value get(Call& call) {
  const Value* found = dict_of(call).find(call.heap, call.args[0]);
  return found != nullptr ? *found : call.value(1);
}

Value pop_key(Call& call) {
  Value value = dict_of(call).take(call.heap, call.args[0]);
  if (!value.is_missing()) return value;
  if (!call.has(1)) fail(FailureKind::key, repr(call.heap, call.args[0]));
  return call.args[1];
}

Value pop_item(Call& call) {
  Dict& dict = dict_of(call);
  if (dict.entries().empty()) fail(FailureKind::key, "'popitem(): dictionary is empty'");
  const Value key = dict.entries().back().first;
  return call.heap.tuple({key, dict.take(call.heap, key)});
}

Value set_default(Call& call) {
  Dict& dict = dict_of(call);
  if (const Value* found = dict.find(call.heap, call.args[0])) return *found;
  dict.set(call.heap, call.args[0], call.value(1));
  return call.value(1);
}

Value update(Call& call) {
  if (call.args.size() > 1) type_error("update expected at most 1 argument");
  update_dict(call.heap, dict_of(call), call.args.empty() ? Value() : call.args[0], call.named);
  return Value::none();
}

Value copy_dict(Call& call) {
  auto* copy = call.heap.make<Dict>();
  update_dict(call.heap, *copy, call.self, {});
  return copy;
}

Value clear_dict(Call& call) {
  dict_of(call).clear();
  return Value::none();
}

Value from_keys(Call& call) {
  auto* dict = call.heap.make<Dict>();
  for (const Value& key : collect(call.heap, call.args[0]))
    dict->set(call.heap, key, call.value(1));
  return dict;
}

// range

Value range_index(Call& call) {
  const auto& range = *as<Range>(call.self);
  if (!call.args[0].is_number() || !contains(call.heap, call.self, call.args[0]))
    value_error(repr(call.heap, call.args[0]) + " is not in range");
  return (static_cast<std::int64_t>(call.args[0].as_real()) - range.start) / range.step;
}

Value range_count(Call& call) {
  return std::int64_t{contains(call.heap, call.self, call.args[0])};
}

constexpr unsigned kPositional = Builtin::positional_only;
constexpr unsigned kMutates = Builtin::mutates | Builtin::positional_only;

constexpr std::array<Builtin, 11> kListMethods = {{
    {"append", append, 1, {"object"}, kMutates},
    {"extend", extend, 1, {"iterable"}, kMutates},
    {"insert", insert, 2, {"index", "object"}, kMutates},
    {"pop", pop, 0, {"index"}, kMutates},
    {"remove", remove, 1, {"value"}, kMutates},
    {"clear", clear_list, 0, {}, kMutates},
    {"sort", sort, 0, {"key", "reverse"}, Builtin::mutates},
    {"reverse", reverse, 0, {}, kMutates},
    {"index", index, 1, {"value", "start", "stop"}, kPositional},
    {"count", count, 1, {"value"}, kPositional},
    {"copy", copy_list},
}};

constexpr std::array<Builtin, 2> kTupleMethods = {{
    {"index", index, 1, {"value", "start", "stop"}, kPositional},
    {"count", count, 1, {"value"}, kPositional},
}};

constexpr std::array<Builtin, 11> kDictMethods = {{
    {"items", view<View::Part::items>},
    {"keys", view<View::Part::keys>},
    {"values", view<View::Part::values>},
    {"get", get, 1, {"key", "default"}, kPositional},
    {"pop", pop_key, 1, {"key", "default"}, kMutates},
    {"popitem", pop_item, 0, {}, kMutates},
    {"setdefault", set_default, 1, {"key", "default"}, kMutates},
    {"update", update, 0, {}, Builtin::mutates | Builtin::variadic},
    {"copy", copy_dict},
    {"clear", clear_dict, 0, {}, kMutates},
    {"fromkeys", from_keys, 1, {"iterable", "value"}, kPositional},
}};

constexpr std::array<Builtin, 2> kRangeMethods = {{
    {"index", range_index, 1, {"value"}, kPositional},
    {"count", range_count, 1, {"value"}, kPositional},
}};

}  // namespace

void update_dict(Heap& heap, Dict& dict, const Value& from,
                 const std::vector<NamedArgument>& named) {
  if (const auto* other = as<Dict>(from)) {
    const std::vector<Dict::Entry> entries = other->entries();
    heap.step(entries.size());
    for (const auto& [key, value] : entries) dict.set(heap, key, value);
  } else if (!from.is_missing()) {
    std::size_t i = 0;
    for (const Value& item : collect(heap, from)) {
      const std::vector<Value> pair = collect(heap, item);
      if (pair.size() != 2)
        value_error(fmt::format(
            "dictionary update sequence element #{} has length {}; 2 is required", i, pair.size()));
      dict.set(heap, pair[0], pair[1]);
      ++i;
    }
  }
  for (const auto& [key, value] : named) dict.set(heap, heap.text(key), value);
}

std::vector<Value> dict_pairs(Heap& heap, const Dict& dict) {
  heap.step(dict.entries().size());
  std::vector<Value> pairs;
  for (const auto& [key, value] : dict.entries()) pairs.push_back(heap.tuple({key, value}));
  return pairs;
}

std::span<const Builtin> list_methods() {
  return kListMethods;
}
std::span<const Builtin> tuple_methods() {
  return kTupleMethods;
}
std::span<const Builtin> dict_methods() {
  return kDictMethods;
}
std::span<const Builtin> range_methods() {
  return kRangeMethods;
}

}  // namespace tare::text::jinja
