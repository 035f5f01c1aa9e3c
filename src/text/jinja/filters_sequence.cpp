#include <fmt/format.h>

#include <array>

#include "base/unicode.h"
#include "text/jinja/dicts.h"
#include "text/jinja/filter_tools.h"
#include "text/jinja/iterate.h"
#include "text/jinja/loop.h"
#include "text/jinja/operators.h"
#include "text/jinja/sort.h"
#include "text/jinja/strings.h"

/// Filters that take a sequence and give a value or a list.
namespace tare::text::jinja {

Value ignore_case(Heap& heap, const Value& value) {
  return value.is_string() ? heap.text(base::unicode::lower(value.str()), value.is_markup())
                           : value;
}

AttributePath::AttributePath(Heap& heap, const Value& attribute) {
  if (attribute.is_missing() || attribute.is_none()) return;
  if (!attribute.is_string()) {
    parts_.push_back(attribute);
    return;
  }
  std::string_view rest = attribute.str();
  while (true) {
    const std::size_t dot = rest.find('.');
    const std::string part(rest.substr(0, dot));
    const bool digits = base::unicode::is_digit(part);
    const auto index = digits ? parse_python_int(part, 10) : std::nullopt;
    if (digits && !index) value_error("invalid literal for int() with base 10: '" + part + "'");
    parts_.push_back(index ? Value(*index) : heap.text(part, attribute.is_markup()));
    if (dot == std::string_view::npos) return;
    rest.remove_prefix(dot + 1);
  }
}

const Dict& dict_input(Call& call) {
  require_defined(call.self);
  if (as<Function>(call.self) != nullptr) unsupported("attributes of functions are not built in");
  const auto* dict = as<Dict>(call.self);
  if (dict == nullptr)
    fail(FailureKind::attribute,
         fmt::format("'{}' object has no attribute 'items'", type_name(call.self)));
  return *dict;
}

Value AttributePath::get(Heap& heap, Value item, const Value& otherwise) const {
  for (const Value& part : parts_) {
    item = get_item(heap, item, part);
    if (!otherwise.is_missing() && !otherwise.is_none() && as<Undefined>(item) != nullptr)
      item = otherwise;
  }
  return item;
}

namespace {

Value length(Call& call) {
  if (auto* loop = as<Loop>(call.self)) return loop->length(call.heap);
  return length_of(call.self);
}

Value first(Call& call) {
  Value item;
  if (iterate(call.heap, call.self).next(call.heap, item)) return item;
  return call.heap.undefined("No first item, sequence was empty.");
}

Value last(Call& call) {
  if (const auto* items = sequence_items(call.self); items != nullptr && !items->empty())
    return items->back();
  Value item;
  if (reversed(call.heap, call.self).next(call.heap, item)) return item;
  return call.heap.undefined("No last item, sequence was empty.");
}

Value list(Call& call) {
  return call.heap.list(collect(call.heap, call.self));
}

Value join(Call& call) {
  const std::string separator = call.has(0) ? str(call.heap, call.args[0]) : "";
  const AttributePath path(call.heap, call.value(1));
  Iterator& items = iterate(call.heap, call.self);
  std::string out;
  bool first_item = true;
  for (Value item; items.next(call.heap, item);) {
    call.heap.step();
    if (!first_item) out += separator;
    first_item = false;
    const std::size_t before = out.size();
    append_str(call.heap, out, path.get(call.heap, item));
    call.heap.charge(out.size() - before + separator.size());
  }
  return call.heap.text(std::move(out));
}

Value reverse(Call& call) {
  if (call.self.is_string()) {
    std::u32string points = base::unicode::to_utf32(call.self.str());
    std::reverse(points.begin(), points.end());
    return call.heap.text(base::unicode::to_utf8(points), call.self.is_markup());
  }
  if (as<Iterator>(call.self) == nullptr && is_iterable(call.self))
    return &reversed(call.heap, call.self);
  require_defined(call.self);
  if (!is_iterable(call.self)) fail(FailureKind::runtime, "argument must be iterable");
  std::vector<Value> items = collect(call.heap, call.self);
  std::reverse(items.begin(), items.end());
  return call.heap.list(std::move(items));
}

Value default_value(Call& call) {
  const bool replace =
      as<Undefined>(call.self) != nullptr || (call.flag(1, false) && !truthy(call.self));
  if (!replace) return call.self;
  return call.has(0) ? call.args[0] : call.heap.text("");
}

Value attr(Call& call) {
  require_defined(call.args[0]);
  require_string(call, 0);
  return get_attribute_only(call.heap, call.self, call.args[0]);
}

// Sorting and grouping.

std::vector<AttributePath> comma_separated(Heap& heap, const Value& attribute) {
  std::vector<AttributePath> paths;
  if (!attribute.is_string()) {
    paths.emplace_back(heap, attribute);
    return paths;
  }
  std::string_view rest = attribute.str();
  for (std::size_t comma = rest.find(','); comma != rest.npos; comma = rest.find(',')) {
    paths.emplace_back(heap, heap.text(std::string(rest.substr(0, comma))));
    rest.remove_prefix(comma + 1);
  }
  paths.emplace_back(heap, heap.text(std::string(rest)));
  return paths;
}

/// The value at a path, in lower case unless upper and lower case count as different.
Value key_of(Heap& heap, const AttributePath& path, const Value& item, bool case_sensitive,
             const Value& otherwise = {}) {
  Value key = path.get(heap, item, otherwise);
  return case_sensitive ? key : ignore_case(heap, key);
}

Value sort(Call& call) {
  const auto paths = comma_separated(call.heap, call.value(2));
  const bool case_sensitive = call.flag(1, false);
  auto key = [&](const Value& item) {
    std::vector<Value> keys;
    for (const AttributePath& path : paths)
      keys.push_back(key_of(call.heap, path, item, case_sensitive));
    return call.heap.list(std::move(keys));
  };
  std::vector<Value> items = collect(call.heap, call.self);
  return call.heap.list(sorted(call.heap, std::move(items), key, call.integer(0, 0) != 0));
}

Value dictsort(Call& call) {
  const std::string by = call.has(1) ? str(call.heap, call.args[1]) : "key";
  if (by != "key" && by != "value")
    fail(FailureKind::runtime, "You can only sort by either \"key\" or \"value\"");
  const Dict& dict = dict_input(call);
  const bool case_sensitive = call.flag(0, false);
  auto key = [&](const Value& pair) {
    const Value& item = as<Tuple>(pair)->items[by == "key" ? 0 : 1];
    return case_sensitive ? item : ignore_case(call.heap, item);
  };
  return call.heap.list(
      sorted(call.heap, dict_pairs(call.heap, dict), key, call.integer(2, 0) != 0));
}

Value make_group(Heap& heap, Value grouper, std::vector<Value> items) {
  auto* group =
      heap.make<Tuple>(std::vector<Value>{std::move(grouper), heap.list(std::move(items))});
  group->is_group = true;
  return group;
}

Value groupby(Call& call) {
  const AttributePath path(call.heap, call.args[0]);
  const bool case_sensitive = call.flag(2, false);
  auto key = [&](const Value& item) {
    return key_of(call.heap, path, item, case_sensitive, call.value(1));
  };
  const std::vector<Value> items = sorted(call.heap, collect(call.heap, call.self), key, false);
  std::vector<Value> groups;
  for (std::size_t i = 0; i < items.size();) {
    const Value group_key = key(items[i]);
    std::vector<Value> members = {items[i++]};
    for (; i < items.size() && equal(call.heap, key(items[i]), group_key); ++i)
      members.push_back(items[i]);
    Value grouper = path.get(call.heap, members.front(), call.value(1));
    groups.push_back(make_group(call.heap, std::move(grouper), std::move(members)));
  }
  return call.heap.list(std::move(groups));
}

/// min and max: the first of the items that no other one is below or above.
template <bool Most>
Value extreme(Call& call) {
  const AttributePath path(call.heap, call.value(1));
  const bool case_sensitive = call.flag(0, false);
  Iterator& items = iterate(call.heap, call.self);
  Value best, best_key;
  if (!items.next(call.heap, best))
    return call.heap.undefined("No aggregated item, sequence was empty.");
  best_key = key_of(call.heap, path, best, case_sensitive);
  for (Value item; items.next(call.heap, item);) {
    Value key = key_of(call.heap, path, item, case_sensitive);
    call.heap.step();
    if (!compare(call.heap, Most ? CompareOp::greater : CompareOp::less, key, best_key)) continue;
    best = std::move(item);
    best_key = std::move(key);
  }
  return best;
}

Value sum(Call& call) {
  const AttributePath path(call.heap, call.value(0));
  Value total = call.has(1) ? call.args[1] : Value(std::int64_t{0});
  if (total.is_string()) type_error("sum() can't sum strings [use ''.join(seq) instead]");
  Iterator& items = iterate(call.heap, call.self);
  for (Value item; items.next(call.heap, item);) {
    call.heap.step();
    total = binary(call.heap, BinaryOp::add, total, path.get(call.heap, item));
  }
  return total;
}

constexpr std::array<Builtin, 17> kFilters = {{
    {"length", length},
    {"count", length},
    {"first", first},
    {"last", last},
    {"list", list},
    {"join", join, 0, {"d", "attribute"}},
    {"reverse", reverse},
    {"default", default_value, 0, {"default_value", "boolean"}},
    {"d", default_value, 0, {"default_value", "boolean"}},
    {"attr", attr, 1, {"name"}},
    {"sort", sort, 0, {"reverse", "case_sensitive", "attribute"}},
    {"dictsort", dictsort, 0, {"case_sensitive", "by", "reverse"}},
    {"groupby", groupby, 1, {"attribute", "default", "case_sensitive"}},
    {"min", extreme<false>, 0, {"case_sensitive", "attribute"}},
    {"max", extreme<true>, 0, {"case_sensitive", "attribute"}},
    {"sum", sum, 0, {"attribute", "start"}},
    {"random", refuse_filter<>, 0, {}, Builtin::variadic},
}};

}  // namespace

std::span<const Builtin> sequence_filters() {
  return kFilters;
}

}  // namespace tare::text::jinja
