#include "text/jinja/attributes.h"

#include <fmt/format.h>

#include <array>
#include <limits>

#include "text/jinja/datetime.h"
#include "text/jinja/loop.h"
#include "text/jinja/macro.h"
#include "text/jinja/operators.h"
#include "text/jinja/strings.h"

namespace tare::text::jinja {
namespace {

/// Attributes that are data: range.start, cycler.current and the like; missing when there is none.
Value data_attribute(Heap& heap, const Value& value, std::string_view name) {
  if (value.is_integral() || value.is_real()) {
    if (name == "real") return value.is_real() ? value : Value(value.as_int());
    if (name == "imag") return value.is_real() ? Value(0.0) : Value(std::int64_t{0});
    if (value.is_real()) return {};
    if (name == "numerator") return value.as_int();
    return name == "denominator" ? Value(std::int64_t{1}) : Value();
  }
  if (auto* loop = as<Loop>(value)) return loop_attribute(heap, *loop, name);
  if (const auto* macro = as<Macro>(value)) return macro_attribute(heap, *macro, name);
  if (const auto* time = as<DateTime>(value)) return datetime_attribute(*time, name);
  if (const auto* range = as<Range>(value)) {
    if (name == "start") return range->start;
    if (name == "stop") return range->stop;
    return name == "step" ? Value(range->step) : Value();
  }
  if (const auto* cycler = as<Cycler>(value)) {
    if (name == "current") return cycler->items[cycler->position];
    return name == "pos" ? Value(static_cast<std::int64_t>(cycler->position)) : Value();
  }
  if (const auto* tuple = as<Tuple>(value); tuple != nullptr && tuple->is_group) {
    if (name == "grouper") return tuple->items[0];
    return name == "list" ? tuple->items[1] : Value();
  }
  return {};
}

/// The attributes of classes and of functions are Python's own affair.
void refuse_function(const Value& value) {
  if (as<Function>(value) != nullptr || as<Method>(value) != nullptr)
    unsupported("attributes of functions and classes are not built in");
}

/// Python's attribute, or missing. `methods` are those with this name.
Value attribute(Heap& heap, const Value& object, std::string_view name, const MethodSet& methods) {
  require_defined(object);
  refuse_function(object);
  if (auto* space = as<Namespace>(object)) {
    const Value* found = space->attributes->find(name);
    return found != nullptr ? *found : Value();
  }
  if (const Builtin* method = method_of(object, methods)) return heap.make<Method>(object, method);
  return data_attribute(heap, object, name);
}

/// Attributes such as __class__ exist in Python for every value and give access to its insides.
void refuse_dunder(std::string_view name) {
  if (name.size() > 4 && name.starts_with("__") && name.ends_with("__"))
    unsupported(fmt::format("the attribute {} is not built in", name));
}

std::int64_t wrap(std::int64_t index, std::int64_t size) {
  return index < 0 ? index + size : index;
}

/// The element at a position of a string, list, tuple or range; missing when there is none.
Value element(Heap& heap, const Value& object, std::int64_t index) {
  if (object.is_string()) {
    if (index < 0) index = wrap(index, length_of(object));
    if (index < 0) return {};
    const auto found = code_point_at(object.str(), static_cast<std::size_t>(index));
    return found ? heap.text(std::string(*found), object.is_markup()) : Value();
  }
  if (const auto* items = sequence_items(object)) {
    const auto i = static_cast<std::size_t>(wrap(index, static_cast<std::int64_t>(items->size())));
    return i < items->size() ? (*items)[i] : Value();
  }
  if (const auto* range = as<Range>(object)) {
    index = wrap(index, range->size());
    return index >= 0 && index < range->size() ? Value(range->at(index)) : Value();
  }
  return {};
}

/// Whether an item of `dict` may be asked for by `key`: lists and dicts cannot be hashed.
bool hashable(const Value& key) {
  if (const auto* tuple = as<Tuple>(key)) {
    for (const Value& item : tuple->items)
      if (!hashable(item)) return false;
    return true;
  }
  return as<List>(key) == nullptr && as<Dict>(key) == nullptr;
}

/// Python's object[index], or missing where Python raises LookupError or TypeError.
Value item(Heap& heap, const Value& object, const Value& index) {
  require_defined(object);
  refuse_function(object);
  if (auto* dict = as<Dict>(object)) {
    if (!hashable(index)) return {};
    const Value* found = dict->find(heap, index);
    return found != nullptr ? *found : Value();
  }
  return index.is_integral() ? element(heap, object, index.as_int()) : Value();
}

std::optional<std::int64_t> bound(const Value& value) {
  if (value.is_missing() || value.is_none()) return std::nullopt;
  if (!value.is_integral())
    type_error("slice indices must be integers or None or have an __index__ method");
  return value.as_int();
}

Value slice_items(Heap& heap, const std::vector<Value>& items, const SliceBounds& bounds,
                  bool is_tuple) {
  std::vector<Value> picked;
  const std::int64_t size = bounds.size();
  heap.step(static_cast<std::uint64_t>(size));
  picked.reserve(static_cast<std::size_t>(size));
  for (std::int64_t i = 0; i < size; ++i)
    picked.push_back(items[static_cast<std::size_t>(bounds.start + i * bounds.step)]);
  return is_tuple ? heap.tuple(std::move(picked)) : heap.list(std::move(picked));
}

Value slice_range(Heap& heap, const Range& range, const SliceBounds& bounds) {
  auto times = [&](std::int64_t i) { return binary(heap, BinaryOp::multiply, i, range.step); };
  auto at = [&](std::int64_t i) {
    return binary(heap, BinaryOp::add, range.start, times(i)).as_int();
  };
  return heap.make<Range>(at(bounds.start), at(bounds.stop), times(bounds.step).as_int());
}

}  // namespace

Value get_attribute(Heap& heap, const Value& object, const Value& name, const MethodSet& methods) {
  if (Value found = attribute(heap, object, name.str(), methods); !found.is_missing()) return found;
  if (auto* dict = as<Dict>(object))
    if (const Value* found = dict->find(name.str())) return *found;
  refuse_dunder(name.str());
  return heap.undefined_member(object, name);
}

Value get_attribute_only(Heap& heap, const Value& object, const Value& name) {
  Value found = attribute(heap, object, name.str(), methods_named(name.str()));
  if (!found.is_missing()) return found;
  refuse_dunder(name.str());
  return heap.undefined_member(object, name);
}

Value get_item(Heap& heap, const Value& object, const Value& index) {
  if (Value found = item(heap, object, index); !found.is_missing()) return found;
  if (index.is_string()) {
    Value found = attribute(heap, object, index.str(), methods_named(index.str()));
    if (!found.is_missing()) return found;
    refuse_dunder(index.str());
  }
  return heap.undefined_member(object, index);
}

Value get_slice(Heap& heap, const Value& object, const Value& start, const Value& stop,
                const Value& step) {
  require_defined(object);
  refuse_function(object);
  const auto* items = sequence_items(object);
  const auto* range = as<Range>(object);
  if (as<Dict>(object) != nullptr) type_error("unhashable type: 'slice'");
  if (!object.is_string() && items == nullptr && range == nullptr)
    type_error(fmt::format("'{}' object is not subscriptable", type_name(object)));
  const std::int64_t stride = bound(step).value_or(1);
  const auto from = bound(start), to = bound(stop);
  if (stride == 0) value_error("slice step cannot be zero");
  const SliceBounds bounds = adjust_slice(from, to, stride, length_of(object));
  if (object.is_string()) return heap.text(slice_string(object.str(), bounds), object.is_markup());
  if (range != nullptr) return slice_range(heap, *range, bounds);
  return slice_items(heap, *items, bounds, as<Tuple>(object) != nullptr);
}

}  // namespace tare::text::jinja
