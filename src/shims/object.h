#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "text/jinja/builtin.h"
#include "text/jinja/heap.h"
#include "text/jinja/object.h"

/// The objects that helper functions need beyond those of text::jinja: functions, modules, sets.
namespace tare::shims {

using text::jinja::Arguments;
using text::jinja::as;
using text::jinja::Dict;
using text::jinja::FailureKind;
using text::jinja::Heap;
using text::jinja::List;
using text::jinja::Value;

class Interpreter;

/// What an object of this room can do; by default nothing.
struct PyObject : text::jinja::Foreign {
  /// object.name; missing when there is none.
  virtual Value attribute(Interpreter& python, std::string_view name);
  virtual Value call(Interpreter& python, Arguments arguments);
  virtual Value item(Interpreter& python, const Value& index);
  virtual void set_item(Interpreter& python, const Value& index, const Value& value);
  /// What iter() walks over; empty when it cannot be iterated.
  virtual std::optional<std::vector<Value>> items(Interpreter& python);
  /// len(), if it has one.
  [[nodiscard]] virtual std::optional<std::size_t> length() const { return std::nullopt; }
};

/// Null when `value` is no object of this room.
inline PyObject* as_object(const Value& value) {
  return static_cast<PyObject*>(as<text::jinja::Foreign>(value));
}
template <class T>
T* as_kind(const Value& value) {
  return dynamic_cast<T*>(as_object(value));
}

/// A function written in C++.
struct NativeFunction final : PyObject {
  using Body = std::function<Value(Interpreter&, Arguments&)>;
  NativeFunction(std::string n, Body b) : name(std::move(n)), body(std::move(b)) {}
  [[nodiscard]] std::string_view python_type() const override {
    return "builtin_function_or_method";
  }
  Value call(Interpreter& python, Arguments arguments) override;
  std::string name;
  Body body;
};

/// A class such as str: called, asked for methods, and used in isinstance.
struct TypeObject final : PyObject {
  using Test = bool (*)(const Value&);
  TypeObject(std::string n, NativeFunction::Body b, Test t)
      : name(std::move(n)), body(std::move(b)), test(t) {}
  [[nodiscard]] std::string_view python_type() const override { return "type"; }
  Value attribute(Interpreter& python, std::string_view name) override;
  Value call(Interpreter& python, Arguments arguments) override;
  std::string name;
  NativeFunction::Body body;
  Test test;
};

/// ValueError and its like; an instance is only ever raised or shown.
struct ExceptionType final : PyObject {
  ExceptionType(std::string n, std::vector<FailureKind> k)
      : name(std::move(n)), kinds(std::move(k)) {}
  [[nodiscard]] std::string_view python_type() const override { return "type"; }
  Value call(Interpreter& python, Arguments arguments) override;
  std::string name;
  std::vector<FailureKind> kinds;  ///< what it catches; the first is what it raises
};
struct ExceptionValue final : PyObject {
  ExceptionValue(FailureKind k, std::string m) : kind(k), message(std::move(m)) {}
  [[nodiscard]] std::string_view python_type() const override { return "Exception"; }
  FailureKind kind;
  std::string message;
};

/// A set, in one of two orders: Interpreter::SetOrder.
struct Set final : PyObject {
  explicit Set(Dict* of) : entries(of) {}
  [[nodiscard]] std::string_view python_type() const override { return "set"; }
  Value attribute(Interpreter& python, std::string_view name) override;
  std::optional<std::vector<Value>> items(Interpreter& python) override;
  [[nodiscard]] std::optional<std::size_t> length() const override {
    return entries->entries().size();
  }
  Dict* entries;  ///< the values do not matter
};

/// A bytes object, as far as helpers use it: its length.
struct Bytes final : PyObject {
  explicit Bytes(std::string b) : bytes(std::move(b)) {}
  [[nodiscard]] std::string_view python_type() const override { return "bytes"; }
  [[nodiscard]] std::optional<std::size_t> length() const override { return bytes.size(); }
  std::string bytes;
};

/// A name that is there but cannot be used, and why: what it is made of is not built in.
struct Poison final : PyObject {
  explicit Poison(std::string r) : reason(std::move(r)) {}
  [[nodiscard]] std::string_view python_type() const override { return "unavailable"; }
  std::string reason;
};

/// The names of a module, or of one call of a function.
struct Scope final : PyObject {
  Scope(Scope* around, Scope* of_module) : outer(around), module(of_module) {}
  [[nodiscard]] std::string_view python_type() const override { return "scope"; }
  std::unordered_map<std::string, Value> names;
  std::unordered_map<std::string, Scope*> elsewhere;  ///< declared global or nonlocal
  Scope* outer;
  Scope* module;
};

/// A file that is open for reading: its content.
struct File final : PyObject {
  explicit File(std::string c) : content(std::move(c)) {}
  [[nodiscard]] std::string_view python_type() const override { return "TextIOWrapper"; }
  Value attribute(Interpreter& python, std::string_view name) override;
  std::string content;
};

struct Module final : PyObject {
  explicit Module(std::string n) : name(std::move(n)) {}
  [[nodiscard]] std::string_view python_type() const override { return "module"; }
  Value attribute(Interpreter& python, std::string_view name) override;
  std::string name;
  std::map<std::string, Value, std::less<>> members;
};

}  // namespace tare::shims
