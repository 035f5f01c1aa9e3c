#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/value.h"
#include "text/jinja/value.h"

namespace tare::text::jinja {

class Heap;
struct Builtin;

/// What a Value may point to. Objects live in the Heap of one rendering and die with it, so lists
/// that contain themselves are no leak.
struct Object {
  enum class Kind {
    undefined,
    list,
    tuple,
    dict,
    range,
    view,
    iterator,
    method,
    function,
    macro,
    loop,
    name_space,
    cycler,
    joiner,
    datetime,
    template_self,
    foreign,
  };
  explicit Object(Kind k) : kind(k) {}
  virtual ~Object() = default;
  Object(const Object&) = delete;
  Object& operator=(const Object&) = delete;

  const Kind kind;
};

/// The object as a T, or null when `value` is something else.
template <class T>
T* as(const Value& value) {
  Object* object = value.object();
  return object != nullptr && object->kind == T::kKind ? static_cast<T*>(object) : nullptr;
}

/// A name, attribute or item that does not exist. Strict: almost every use raises.
struct Undefined : Object {
  static constexpr Kind kKind = Kind::undefined;
  Undefined(bool is_strict, std::string text)
      : Object(kKind), strict(is_strict), message(std::move(text)) {}
  bool strict;
  std::string message;  ///< "'x' is undefined"
};

struct List : Object {
  static constexpr Kind kKind = Kind::list;
  explicit List(std::vector<Value> v = {}) : Object(kKind), items(std::move(v)) {}
  std::vector<Value> items;
};

struct Tuple : Object {
  static constexpr Kind kKind = Kind::tuple;
  explicit Tuple(std::vector<Value> v = {}) : Object(kKind), items(std::move(v)) {}
  const std::vector<Value> items;
  bool is_group = false;  ///< a group of groupby: also has the attributes grouper and list
};

/// An insertion-ordered dict. Up to a few entries are searched one by one, more through an index.
struct Dict : Object {
  static constexpr Kind kKind = Kind::dict;
  using Entry = std::pair<Value, Value>;
  Dict() : Object(kKind) {}

  /// The value of `key`, or null. Raises when the key cannot be hashed.
  Value* find(Heap& heap, const Value& key);
  Value* find(std::string_view key);
  void set(Heap& heap, const Value& key, Value value);
  /// Removes and returns the value of `key`; missing when there is none.
  Value take(Heap& heap, const Value& key);
  void clear();
  [[nodiscard]] const std::vector<Entry>& entries() const { return entries_; }

 private:
  static constexpr std::size_t kSearchOneByOne = 8;
  static constexpr std::size_t kNotFound = static_cast<std::size_t>(-1);
  std::size_t position(Heap& heap, const Value& key);
  void rebuild_index(Heap& heap);

  std::vector<Entry> entries_;
  std::unordered_multimap<std::size_t, std::size_t> index_;  ///< hash -> position in entries_
  bool indexed_ = false;
};

struct Range : Object {
  static constexpr Kind kKind = Kind::range;
  Range(std::int64_t from, std::int64_t to, std::int64_t by)
      : Object(kKind), start(from), stop(to), step(by) {}
  [[nodiscard]] std::int64_t size() const;
  /// Unchecked: 0 <= i < size().
  [[nodiscard]] std::int64_t at(std::int64_t i) const { return start + i * step; }
  std::int64_t start, stop, step;
};

/// dict.keys(), .values() and .items(): live windows on a dict.
struct View : Object {
  static constexpr Kind kKind = Kind::view;
  enum class Part { keys, values, items };
  View(Dict* of, Part p) : Object(kKind), dict(of), part(p) {}
  [[nodiscard]] Value at(Heap& heap, std::size_t i) const;
  Dict* dict;
  Part part;
};

/// A single pass over values: the iterator of a for loop, or what a lazy filter returns.
struct Iterator : Object {
  static constexpr Kind kKind = Kind::iterator;
  explicit Iterator(std::string_view python_type) : Object(kKind), type(python_type) {}
  /// False at the end; then `out` is untouched.
  virtual bool next(Heap& heap, Value& out) = 0;
  std::string_view type;  ///< "generator", "list_reverseiterator", ...
};

/// A method of a value, not yet called.
struct Method : Object {
  static constexpr Kind kKind = Kind::method;
  Method(Value of, const Builtin* b) : Object(kKind), self(std::move(of)), builtin(b) {}
  Value self;
  const Builtin* builtin;
};

/// A global such as range.
struct Function : Object {
  static constexpr Kind kKind = Kind::function;
  explicit Function(const Builtin* b) : Object(kKind), builtin(b) {}
  const Builtin* builtin;
};

struct Namespace : Object {
  static constexpr Kind kKind = Kind::name_space;
  explicit Namespace(Dict* of) : Object(kKind), attributes(of) {}
  Dict* attributes;
};

struct Cycler : Object {
  static constexpr Kind kKind = Kind::cycler;
  explicit Cycler(std::vector<Value> v) : Object(kKind), items(std::move(v)) {}
  std::vector<Value> items;
  std::size_t position = 0;
};

struct Joiner : Object {
  static constexpr Kind kKind = Kind::joiner;
  explicit Joiner(Value s) : Object(kKind), separator(std::move(s)) {}
  Value separator;
  bool used = false;
};

struct DateTime : Object {
  static constexpr Kind kKind = Kind::datetime;
  explicit DateTime(base::DateTime t) : Object(kKind), time(t) {}
  base::DateTime time;
};

/// The name `self`, which Jinja2 gives every template; without blocks it has nothing in it.
struct TemplateSelf : Object {
  static constexpr Kind kKind = Kind::template_self;
  TemplateSelf() : Object(kKind) {}
};

/// An object of a language that is built on these values: a function, a module, a set.
struct Foreign : Object {
  static constexpr Kind kKind = Kind::foreign;
  Foreign() : Object(kKind) {}
  /// The name of its type, for messages.
  [[nodiscard]] virtual std::string_view python_type() const = 0;
};

/// The items of a list or tuple, or null.
const std::vector<Value>* sequence_items(const Value& value);

/// Python's name of the type: "int", "str", "StrictUndefined", "LoopContext", ...
std::string_view type_name(const Value& value);
std::string_view type_name(const Object& object);
/// How Jinja2 names the owner of a missing attribute: "dict object", "None",
/// "jinja2.utils.Namespace object".
std::string owner_name(const Value& value);

}  // namespace tare::text::jinja
