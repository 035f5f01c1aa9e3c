#pragma once

#include <concepts>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace tare::text::jinja {

struct Object;

/// A string that is either owned or borrowed (no control block) from the document or the program,
/// both of which outlive a rendering.
using Text = std::shared_ptr<const std::string>;

/// A value while a template runs: a scalar, a string, or a pointer to an object that the Heap of
/// the rendering owns. A copy refers to the same list or dict, as in Python.
class Value {
 public:
  enum class Kind { missing, none, boolean, integer, real, string, object };

  /// No value at all: a name that is not set, an argument that is not given.
  Value() = default;
  template <std::same_as<bool> B>  // no pointer may turn into a truth value
  Value(B b) : data_(b) {}
  Value(std::int64_t i) : data_(i) {}
  Value(double d) : data_(d) {}
  Value(Object* object) : data_(object) {}
  static Value none() { return Value(Data(None{})); }
  static Value text(Text text, bool markup = false) {
    return Value(Data(String{std::move(text), markup}));
  }
  /// Refers to `text` without owning it.
  static Value borrowed(const std::string& text) { return Value::text(Text(Text(), &text)); }

  [[nodiscard]] Kind kind() const { return static_cast<Kind>(data_.index()); }
  [[nodiscard]] bool is_missing() const { return kind() == Kind::missing; }
  [[nodiscard]] bool is_none() const { return kind() == Kind::none; }
  [[nodiscard]] bool is_bool() const { return kind() == Kind::boolean; }
  [[nodiscard]] bool is_int() const { return kind() == Kind::integer; }
  [[nodiscard]] bool is_real() const { return kind() == Kind::real; }
  [[nodiscard]] bool is_string() const { return kind() == Kind::string; }
  [[nodiscard]] bool is_object() const { return kind() == Kind::object; }
  /// What Python's int covers: an integer or a boolean.
  [[nodiscard]] bool is_integral() const { return is_int() || is_bool(); }
  [[nodiscard]] bool is_number() const { return is_integral() || is_real(); }
  /// A string marked as safe for HTML (the filters escape, safe and tojson make such).
  [[nodiscard]] bool is_markup() const { return is_string() && std::get<String>(data_).markup; }

  /// Unchecked access: the caller has asked for the kind.
  [[nodiscard]] bool as_bool() const { return std::get<bool>(data_); }
  [[nodiscard]] std::int64_t as_int() const {
    return is_bool() ? std::int64_t(as_bool()) : std::get<std::int64_t>(data_);
  }
  /// Any number as double.
  [[nodiscard]] double as_real() const {
    return is_real() ? std::get<double>(data_) : static_cast<double>(as_int());
  }
  [[nodiscard]] const std::string& str() const { return *std::get<String>(data_).text; }
  [[nodiscard]] const Text& shared_text() const { return std::get<String>(data_).text; }
  /// Null when this is no object.
  [[nodiscard]] Object* object() const {
    const auto* object = std::get_if<Object*>(&data_);
    return object == nullptr ? nullptr : *object;
  }

 private:
  struct None {};
  struct String {
    Text text;
    bool markup;
  };
  using Data = std::variant<std::monostate, None, bool, std::int64_t, double, String, Object*>;
  explicit Value(Data data) : data_(std::move(data)) {}
  Data data_;
};

}  // namespace tare::text::jinja
