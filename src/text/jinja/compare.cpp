#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include "base/unicode.h"
#include "text/jinja/iterate.h"
#include "text/jinja/operators.h"

namespace tare::text::jinja {
namespace {

constexpr int kUnordered = 2;

template <class T>
int three_way(const T& a, const T& b) {
  return a < b ? -1 : int(b < a);
}

int order_of_reals(double a, double b) {
  return std::isnan(a) || std::isnan(b) ? kUnordered : three_way(a, b);
}

/// The order of an integer and a real, exactly.
int order_of_mixed(std::int64_t a, double b) {
  if (std::isnan(b)) return kUnordered;
  if (b >= 0x1p63) return -1;
  if (b < -0x1p63) return 1;
  const auto whole = static_cast<std::int64_t>(b);
  if (a != whole) return a < whole ? -1 : 1;
  return three_way(0.0, b - std::trunc(b));
}

int order_of_numbers(const Value& a, const Value& b) {
  if (a.is_real() && b.is_real()) return order_of_reals(a.as_real(), b.as_real());
  if (a.is_real()) {
    const int reversed = order_of_mixed(b.as_int(), a.as_real());
    return reversed == kUnordered ? kUnordered : -reversed;
  }
  if (b.is_real()) return order_of_mixed(a.as_int(), b.as_real());
  return three_way(a.as_int(), b.as_int());
}

bool same_object(const Value& a, const Value& b) {
  return a.is_object() && a.object() == b.object();
}

bool same_or_equal(Heap& heap, const Value& a, const Value& b) {
  return same_object(a, b) || equal(heap, a, b);
}

bool items_equal(Heap& heap, const std::vector<Value>& a, const std::vector<Value>& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size() && i < b.size(); ++i) {
    heap.step();
    if (!same_or_equal(heap, a[i], b[i])) return false;
  }
  return true;
}

bool dicts_equal(Heap& heap, const Dict& a, Dict& b) {
  if (a.entries().size() != b.entries().size()) return false;
  return std::all_of(a.entries().begin(), a.entries().end(), [&](const Dict::Entry& entry) {
    heap.step();
    const Value* other = b.find(heap, entry.first);
    return other != nullptr && same_or_equal(heap, *other, entry.second);
  });
}

bool ranges_equal(const Range& a, const Range& b) {
  if (a.size() != b.size()) return false;
  if (a.size() == 0) return true;
  return a.start == b.start && (a.size() == 1 || a.step == b.step);
}

/// dict.keys() and dict.items() compare as sets.
bool views_equal(Heap& heap, View& a, View& b) {
  if (a.part == View::Part::values || b.part == View::Part::values) return &a == &b;
  const std::size_t size = a.dict->entries().size();
  if (size != b.dict->entries().size()) return false;
  for (std::size_t i = 0; i < size; ++i)
    if (!contains(heap, &b, a.at(heap, i))) return false;
  return true;
}

bool objects_equal(Heap& heap, Object& a, Object& b) {
  const Heap::Level level(heap);
  if (a.kind != b.kind) return false;
  switch (a.kind) {
    case Object::Kind::list:
      return items_equal(heap, static_cast<List&>(a).items, static_cast<List&>(b).items);
    case Object::Kind::tuple:
      return items_equal(heap, static_cast<Tuple&>(a).items, static_cast<Tuple&>(b).items);
    case Object::Kind::dict:
      return dicts_equal(heap, static_cast<Dict&>(a), static_cast<Dict&>(b));
    case Object::Kind::range:
      return ranges_equal(static_cast<Range&>(a), static_cast<Range&>(b));
    case Object::Kind::view:
      return views_equal(heap, static_cast<View&>(a), static_cast<View&>(b));
    case Object::Kind::datetime:
      return static_cast<DateTime&>(a).time == static_cast<DateTime&>(b).time;
    default:
      return &a == &b;
  }
}

[[noreturn]] void no_order(CompareOp op, const Value& a, const Value& b) {
  static constexpr std::array<std::string_view, 6> kSymbols = {"==", "!=", "<", "<=", ">", ">="};
  type_error(fmt::format("'{}' not supported between instances of '{}' and '{}'",
                         kSymbols.at(static_cast<std::size_t>(op)), type_name(a), type_name(b)));
}

bool holds(CompareOp op, int order) {
  if (order == kUnordered) return false;
  switch (op) {
    case CompareOp::less:
      return order < 0;
    case CompareOp::less_equal:
      return order <= 0;
    case CompareOp::greater:
      return order > 0;
    default:
      return order >= 0;
  }
}

bool ordered(Heap& heap, CompareOp op, const Value& a, const Value& b);

/// The first pair of unequal items decides; without one, the lengths do.
bool items_ordered(Heap& heap, CompareOp op, const std::vector<Value>& a,
                   const std::vector<Value>& b) {
  for (std::size_t i = 0; i < a.size() && i < b.size(); ++i) {
    heap.step();
    if (!same_or_equal(heap, a[i], b[i])) return ordered(heap, op, a[i], b[i]);
  }
  return holds(op, three_way(a.size(), b.size()));
}

bool ordered(Heap& heap, CompareOp op, const Value& a, const Value& b) {
  const Heap::Level level(heap);
  if (a.is_number() && b.is_number()) return holds(op, order_of_numbers(a, b));
  // The byte order of UTF-8 is the order of code points.
  if (a.is_string() && b.is_string()) return holds(op, three_way(a.str(), b.str()));
  require_defined(a);
  require_defined(b);
  const bool same_kind = a.is_object() && b.is_object() && a.object()->kind == b.object()->kind;
  if (same_kind && sequence_items(a) != nullptr)
    return items_ordered(heap, op, *sequence_items(a), *sequence_items(b));
  if (same_kind && as<DateTime>(a) != nullptr)
    return holds(op,
                 three_way(as<DateTime>(a)->time.microseconds, as<DateTime>(b)->time.microseconds));
  no_order(op, a, b);
}

bool range_contains(Heap& heap, const Range& range, const Value& item) {
  if (!item.is_number()) {
    require_defined(item);
    return false;
  }
  if (item.is_real() && item.as_real() != std::floor(item.as_real())) return false;
  if (item.is_real() && std::fabs(item.as_real()) >= 0x1p63) return false;
  heap.step();
  const std::int64_t i = item.is_real() ? static_cast<std::int64_t>(item.as_real()) : item.as_int();
  const bool between =
      range.step > 0 ? i >= range.start && i < range.stop : i <= range.start && i > range.stop;
  const auto offset = std::uint64_t(i) - std::uint64_t(range.start);
  const auto distance = range.step > 0 ? offset : 0 - offset;
  const auto stride = range.step > 0 ? std::uint64_t(range.step) : 0 - std::uint64_t(range.step);
  return between && distance % stride == 0;
}

bool string_contains(const Value& text, const Value& item) {
  if (!item.is_string())
    type_error(
        fmt::format("'in <string>' requires string as left operand, not {}", type_name(item)));
  return text.str().find(item.str()) != std::string::npos;
}

bool view_has_item(Heap& heap, const View& view, const Value& item) {
  const auto* pair = as<Tuple>(item);
  if (pair == nullptr || pair->items.size() != 2) return false;
  const Value* found = view.dict->find(heap, pair->items[0]);
  return found != nullptr && same_or_equal(heap, *found, pair->items[1]);
}

/// Items one by one, as Python does for what has no __contains__.
bool iteration_contains(Heap& heap, const Value& container, const Value& item) {
  Iterator& iterator = iterate(heap, container);
  Value candidate;
  while (iterator.next(heap, candidate)) {
    heap.step();
    if (same_or_equal(heap, candidate, item)) return true;
  }
  return false;
}

std::size_t combine(std::size_t seed, std::size_t hash) {
  return seed ^ (hash + 0x9e3779b97f4a7c15u + (seed << 6) + (seed >> 2));
}

}  // namespace

void require_defined(const Value& value) {
  if (const auto* undefined = as<Undefined>(value))
    fail(FailureKind::undefined, undefined->message);
}

void require_strictly_defined(const Value& value) {
  const auto* undefined = as<Undefined>(value);
  if (undefined != nullptr && undefined->strict) require_defined(value);
}

bool truthy(const Value& value) {
  switch (value.kind()) {
    case Value::Kind::missing:
    case Value::Kind::none:
      return false;
    case Value::Kind::boolean:
      return value.as_bool();
    case Value::Kind::integer:
      return value.as_int() != 0;
    case Value::Kind::real:
      return value.as_real() != 0.0;
    case Value::Kind::string:
      return !value.str().empty();
    case Value::Kind::object:
      break;
  }
  if (as<Undefined>(value) != nullptr) {
    require_strictly_defined(value);
    return false;
  }
  const Object::Kind kind = value.object()->kind;
  const bool sized = kind == Object::Kind::list || kind == Object::Kind::tuple ||
                     kind == Object::Kind::dict || kind == Object::Kind::range ||
                     kind == Object::Kind::view;
  return !sized || length_of(value) != 0;
}

bool equal(Heap& heap, const Value& a, const Value& b) {
  if (a.is_number() && b.is_number()) return order_of_numbers(a, b) == 0;
  if (a.is_string() && b.is_string()) return a.str() == b.str();
  const auto* left = as<Undefined>(a);
  const auto* right = as<Undefined>(b);
  if (left != nullptr || right != nullptr) {
    require_strictly_defined(a);
    require_strictly_defined(b);
    return left != nullptr && right != nullptr;
  }
  if (a.is_object() && b.is_object()) return objects_equal(heap, *a.object(), *b.object());
  return a.kind() == b.kind();  // none and missing; other kinds were compared above
}

bool less(Heap& heap, const Value& a, const Value& b) {
  heap.step();
  return ordered(heap, CompareOp::less, a, b);
}

bool contains(Heap& heap, const Value& container, const Value& item) {
  if (container.is_string()) return string_contains(container, item);
  if (auto* dict = as<Dict>(container)) return dict->find(heap, item) != nullptr;
  if (const auto* range = as<Range>(container)) return range_contains(heap, *range, item);
  if (const auto* view = as<View>(container)) {
    if (view->part == View::Part::keys) return view->dict->find(heap, item) != nullptr;
    if (view->part == View::Part::items) return view_has_item(heap, *view, item);
  }
  if (!is_iterable(container)) {
    require_strictly_defined(container);
    type_error(fmt::format("argument of type '{}' is not iterable", type_name(container)));
  }
  return iteration_contains(heap, container, item);
}

bool compare(Heap& heap, CompareOp op, const Value& a, const Value& b) {
  switch (op) {
    case CompareOp::equal:
      return equal(heap, a, b);
    case CompareOp::not_equal:
      return !equal(heap, a, b);
    case CompareOp::in:
      return contains(heap, b, a);
    case CompareOp::not_in:
      return !contains(heap, b, a);
    default:
      return ordered(heap, op, a, b);
  }
}

std::size_t hash_of(Heap& heap, const Value& value) {
  if (value.is_number()) return std::hash<double>{}(value.as_real());
  if (value.is_string()) return std::hash<std::string_view>{}(value.str());
  if (!value.is_object()) return 0;
  if (const auto* tuple = as<Tuple>(value)) {
    const Heap::Level level(heap);
    heap.step(tuple->items.size());
    std::size_t hash = tuple->items.size();
    for (const Value& item : tuple->items) hash = combine(hash, hash_of(heap, item));
    return hash;
  }
  if (as<List>(value) != nullptr || as<Dict>(value) != nullptr)
    type_error(fmt::format("unhashable type: '{}'", type_name(value)));
  require_strictly_defined(value);
  if (const auto* range = as<Range>(value)) return std::hash<std::int64_t>{}(range->size());
  if (const auto* time = as<DateTime>(value))
    return std::hash<std::int64_t>{}(time->time.microseconds);
  return std::hash<const Object*>{}(as<Undefined>(value) != nullptr ? nullptr : value.object());
}

std::int64_t length_of(const Value& value) {
  if (value.is_string()) return static_cast<std::int64_t>(base::unicode::length(value.str()));
  if (const auto* items = sequence_items(value)) return static_cast<std::int64_t>(items->size());
  if (const auto* dict = as<Dict>(value)) return static_cast<std::int64_t>(dict->entries().size());
  if (const auto* view = as<View>(value))
    return static_cast<std::int64_t>(view->dict->entries().size());
  if (const auto* range = as<Range>(value)) return range->size();
  require_strictly_defined(value);
  if (as<Undefined>(value) != nullptr) return 0;
  type_error(fmt::format("object of type '{}' has no len()", type_name(value)));
}

}  // namespace tare::text::jinja
