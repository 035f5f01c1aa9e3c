#pragma once

#include <concepts>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

namespace tare::base {

class Value;
using List = std::vector<Value>;

/// A Python datetime without a time zone, as the json builder of `datasets` makes it of ISO
/// strings.
struct DateTime {
  std::int64_t microseconds = 0;  ///< since 1970-01-01T00:00:00
  friend bool operator==(const DateTime&, const DateTime&) = default;
};

/// An insertion-ordered mapping with Python's dict semantics: a second insertion of an equal key
/// replaces the value and keeps the place. Look-up of a string key is fast at any size, of another
/// key linear.
class Dict {
 public:
  using Entry = std::pair<Value, Value>;
  [[nodiscard]] const Value* find(std::string_view key) const;
  /// A template, so that no text is taken for a Value.
  template <std::same_as<Value> Key>
  [[nodiscard]] const Value* find(const Key& key) const {
    return at(position(key));
  }
  void set(Value key, Value value);
  /// True if an entry was removed.
  bool erase(std::string_view key);
  [[nodiscard]] std::size_t size() const;
  [[nodiscard]] bool empty() const { return size() == 0; }
  [[nodiscard]] std::vector<Entry>::const_iterator begin() const;
  [[nodiscard]] std::vector<Entry>::const_iterator end() const;

 private:
  [[nodiscard]] std::size_t position(std::string_view key) const;
  [[nodiscard]] std::size_t position(const Value& key) const;
  [[nodiscard]] const Value* at(std::size_t position) const;
  void index_from(std::size_t first);

  std::vector<Entry> entries_;
  /// Where the string keys stand, kept once there are many; the views are into the keys themselves,
  /// which copies of the Dict share.
  std::unordered_map<std::string_view, std::size_t> index_;
};

/// An immutable value of the kinds that JSON, YAML, Parquet rows and Python literals share. Strings
/// are UTF-8. Copies are cheap: lists and dicts are shared and never change after construction.
/// Equality is Python's: 1 == 1.0 == True, lists and tuples differ, dict order does not matter.
class Value {
 public:
  enum class Kind { none, boolean, integer, real, string, list, tuple, dict, datetime };

  Value() = default;
  Value(std::nullptr_t) {}
  template <std::same_as<bool> B>  // no pointer may turn into a truth value
  Value(B b) : data_(b) {}
  Value(int i) : data_(static_cast<std::int64_t>(i)) {}
  Value(std::int64_t i) : data_(i) {}
  Value(std::size_t i) : data_(static_cast<std::int64_t>(i)) {}
  Value(double d) : data_(d) {}
  Value(const char* s) : data_(std::make_shared<const std::string>(s)) {}
  Value(std::string s) : data_(std::make_shared<const std::string>(std::move(s))) {}
  Value(std::string_view s) : data_(std::make_shared<const std::string>(s)) {}
  Value(List items) : data_(std::make_shared<const List>(std::move(items))) {}
  Value(Dict dict) : data_(std::make_shared<const Dict>(std::move(dict))) {}
  Value(DateTime t) : data_(t) {}
  static Value tuple(List items);

  [[nodiscard]] Kind kind() const { return static_cast<Kind>(data_.index()); }
  [[nodiscard]] bool is_none() const { return kind() == Kind::none; }
  [[nodiscard]] bool is_bool() const { return kind() == Kind::boolean; }
  [[nodiscard]] bool is_int() const { return kind() == Kind::integer; }
  [[nodiscard]] bool is_real() const { return kind() == Kind::real; }
  [[nodiscard]] bool is_number() const { return is_int() || is_real(); }
  [[nodiscard]] bool is_string() const { return kind() == Kind::string; }
  [[nodiscard]] bool is_list() const { return kind() == Kind::list; }
  [[nodiscard]] bool is_tuple() const { return kind() == Kind::tuple; }
  /// A list or a tuple.
  [[nodiscard]] bool is_sequence() const { return is_list() || is_tuple(); }
  [[nodiscard]] bool is_dict() const { return kind() == Kind::dict; }
  [[nodiscard]] bool is_datetime() const { return kind() == Kind::datetime; }

  /// Unchecked access: the caller has asked for the kind.
  [[nodiscard]] bool as_bool() const { return std::get<bool>(data_); }
  [[nodiscard]] std::int64_t as_int() const { return std::get<std::int64_t>(data_); }
  [[nodiscard]] double as_real() const { return std::get<double>(data_); }
  /// An integer or a real as double.
  [[nodiscard]] double as_number() const;
  [[nodiscard]] const std::string& as_string() const;
  /// The items of a list or tuple.
  [[nodiscard]] const List& items() const;
  [[nodiscard]] const Dict& as_dict() const;
  [[nodiscard]] DateTime as_datetime() const { return std::get<DateTime>(data_); }

  /// The entry of a dict, or null when this is no dict or has no such key.
  [[nodiscard]] const Value* find(std::string_view key) const;

  /// Python's truth value: none, false, 0, 0.0 and empty containers are false.
  [[nodiscard]] bool truthy() const;
  /// Python's name of the type: "NoneType", "bool", "int", "float", "str", "list", "tuple", "dict".
  [[nodiscard]] std::string_view type_name() const;

  friend bool operator==(const Value& a, const Value& b);

 private:
  struct Tuple {
    std::shared_ptr<const List> items;
  };
  std::variant<std::monostate, bool, std::int64_t, double, std::shared_ptr<const std::string>,
               std::shared_ptr<const List>, Tuple, std::shared_ptr<const Dict>, DateTime>
      data_;
};

}  // namespace tare::base
