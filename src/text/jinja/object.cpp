#include "text/jinja/object.h"

#include <algorithm>
#include <array>
#include <limits>

#include "text/jinja/heap.h"
#include "text/jinja/operators.h"

namespace tare::text::jinja {

Value* Dict::find(std::string_view key) {
  if (indexed_) {
    const auto [first, last] = index_.equal_range(std::hash<std::string_view>{}(key));
    for (auto it = first; it != last; ++it) {
      Entry& entry = entries_[it->second];
      if (entry.first.is_string() && entry.first.str() == key) return &entry.second;
    }
    return nullptr;
  }
  for (Entry& entry : entries_)
    if (entry.first.is_string() && entry.first.str() == key) return &entry.second;
  return nullptr;
}

std::size_t Dict::position(Heap& heap, const Value& key) {
  const std::size_t hash = hash_of(heap, key);
  if (indexed_) {
    const auto [first, last] = index_.equal_range(hash);
    for (auto it = first; it != last; ++it)
      if (equal(heap, entries_[it->second].first, key)) return it->second;
    return kNotFound;
  }
  for (std::size_t i = 0; i < entries_.size(); ++i)
    if (equal(heap, entries_[i].first, key)) return i;
  return kNotFound;
}

Value* Dict::find(Heap& heap, const Value& key) {
  const std::size_t i = position(heap, key);
  return i == kNotFound ? nullptr : &entries_[i].second;
}

void Dict::set(Heap& heap, const Value& key, Value value) {
  const std::size_t i = position(heap, key);
  if (i != kNotFound) {
    entries_[i].second = std::move(value);
    return;
  }
  heap.charge(sizeof(Entry));
  entries_.emplace_back(key, std::move(value));
  if (indexed_)
    index_.emplace(hash_of(heap, key), entries_.size() - 1);
  else if (entries_.size() > kSearchOneByOne)
    rebuild_index(heap);
}

Value Dict::take(Heap& heap, const Value& key) {
  const std::size_t i = position(heap, key);
  if (i == kNotFound) return {};
  Value value = std::move(entries_[i].second);
  entries_.erase(entries_.begin() + static_cast<std::ptrdiff_t>(i));
  if (indexed_) rebuild_index(heap);
  return value;
}

void Dict::clear() {
  entries_.clear();
  index_.clear();
  indexed_ = false;
}

void Dict::rebuild_index(Heap& heap) {
  heap.step(entries_.size());
  index_.clear();
  for (std::size_t i = 0; i < entries_.size(); ++i)
    index_.emplace(hash_of(heap, entries_[i].first), i);
  indexed_ = true;
}

std::int64_t Range::size() const {
  const bool empty = step > 0 ? start >= stop : start <= stop;
  if (empty) return 0;
  // Unsigned arithmetic: the distance of two int64 always fits.
  const auto distance = step > 0 ? std::uint64_t(stop) - std::uint64_t(start)
                                 : std::uint64_t(start) - std::uint64_t(stop);
  const auto stride = step > 0 ? std::uint64_t(step) : 0 - std::uint64_t(step);
  const std::uint64_t count = (distance - 1) / stride + 1;
  constexpr auto kMost = std::uint64_t(std::numeric_limits<std::int64_t>::max());
  return static_cast<std::int64_t>(std::min(count, kMost));
}

Value View::at(Heap& heap, std::size_t i) const {
  const Dict::Entry& entry = dict->entries()[i];
  if (part == Part::keys) return entry.first;
  if (part == Part::values) return entry.second;
  return heap.tuple({entry.first, entry.second});
}

const std::vector<Value>* sequence_items(const Value& value) {
  if (const auto* list = as<List>(value)) return &list->items;
  if (const auto* tuple = as<Tuple>(value)) return &tuple->items;
  return nullptr;
}

namespace {

struct TypeName {
  std::string_view name;
  std::string_view module;  ///< empty for Python's built-in types
};

TypeName object_type(const Object& object) {
  using Kind = Object::Kind;
  switch (object.kind) {
    case Kind::undefined:
      return {static_cast<const Undefined&>(object).strict ? "StrictUndefined" : "Undefined",
              "jinja2.runtime"};
    case Kind::tuple:
      if (static_cast<const Tuple&>(object).is_group) return {"_GroupTuple", "jinja2.filters"};
      return {"tuple", ""};
    case Kind::view: {
      static constexpr std::array<std::string_view, 3> kViews = {"dict_keys", "dict_values",
                                                                 "dict_items"};
      return {kViews.at(static_cast<std::size_t>(static_cast<const View&>(object).part)), ""};
    }
    case Kind::iterator:
      return {static_cast<const Iterator&>(object).type, ""};
    case Kind::foreign:
      return {static_cast<const Foreign&>(object).python_type(), ""};
    default:
      break;
  }
  static const std::unordered_map<Kind, TypeName> kNames = {
      {Kind::list, {"list", ""}},
      {Kind::dict, {"dict", ""}},
      {Kind::range, {"range", ""}},
      {Kind::method, {"builtin_function_or_method", ""}},
      {Kind::function, {"type", ""}},
      {Kind::macro, {"Macro", "jinja2.runtime"}},
      {Kind::loop, {"LoopContext", "jinja2.runtime"}},
      {Kind::name_space, {"Namespace", "jinja2.utils"}},
      {Kind::cycler, {"Cycler", "jinja2.utils"}},
      {Kind::joiner, {"Joiner", "jinja2.utils"}},
      {Kind::datetime, {"datetime", "datetime"}},
      {Kind::template_self, {"TemplateReference", "jinja2.runtime"}}};
  return kNames.at(object.kind);
}

TypeName type_of(const Value& value) {
  if (const Object* object = value.object()) return object_type(*object);
  if (value.is_markup()) return {"Markup", "markupsafe"};
  static constexpr std::array<std::string_view, 6> kNames = {"missing", "NoneType", "bool",
                                                             "int",     "float",    "str"};
  return {kNames.at(static_cast<std::size_t>(value.kind())), ""};
}

}  // namespace

std::string_view type_name(const Value& value) {
  return type_of(value).name;
}

std::string_view type_name(const Object& object) {
  return object_type(object).name;
}

std::string owner_name(const Value& value) {
  if (value.is_none()) return "None";
  const TypeName type = type_of(value);
  std::string name(type.module);
  if (!name.empty()) name += '.';
  return name.append(type.name).append(" object");
}

}  // namespace tare::text::jinja
