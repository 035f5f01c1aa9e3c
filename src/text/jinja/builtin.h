#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "text/jinja/heap.h"

namespace tare::text::jinja {

using NamedArgument = std::pair<std::string, Value>;

/// What stands between the parentheses of a call, evaluated.
struct Arguments {
  std::vector<Value> positional;
  std::vector<NamedArgument> named;
};

/// A call that a built-in serves.
struct Call {
  Heap& heap;
  std::string_view name;             ///< of the built-in, for messages
  Value self;                        ///< the receiver of a method, the input of a filter or test
  std::vector<Value> args;           ///< one a parameter (missing: not given); variadic: as given
  std::vector<NamedArgument> named;  ///< variadic built-ins only

  [[nodiscard]] bool has(std::size_t i) const { return i < args.size() && !args[i].is_missing(); }
  /// The argument as an index: raises for anything but int and bool.
  [[nodiscard]] std::int64_t integer(std::size_t i, std::int64_t otherwise) const;
  /// The truth value of the argument.
  [[nodiscard]] bool flag(std::size_t i, bool otherwise) const;
  /// The argument as a string: raises for anything else.
  [[nodiscard]] const std::string& string(std::size_t i) const;
  /// The argument, or None when it is not given.
  [[nodiscard]] Value value(std::size_t i) const;
};

/// A filter, test, method or global function: one row of a table.
struct Builtin {
  enum Trait : unsigned {
    variadic = 1,         ///< takes any arguments, unbound
    positional_only = 2,  ///< as most methods of CPython
    mutates = 4,          ///< changes its receiver: refused in chat templates
    is_class = 8,         ///< prints as <class 'range'>
  };
  std::string_view name;
  Value (*run)(Call&);
  unsigned required = 0;                            ///< how many parameters have no default
  std::array<std::string_view, 5> parameters = {};  ///< their names; the empty ones do not exist
  unsigned traits = 0;
  [[nodiscard]] bool has(Trait trait) const { return (traits & trait) != 0; }
};

/// Raises unless the argument is a string.
inline void require_string(const Call& call, std::size_t i) {
  static_cast<void>(call.string(i));
}

/// Binds the arguments to the parameters as Python does, and runs.
Value run_builtin(Heap& heap, const Builtin& builtin, Value self, Arguments arguments);

const Builtin* find_builtin(std::span<const Builtin> table, std::string_view name);
/// Null when there is no such filter or test; transformers' tojson differs from Jinja2's.
const Builtin* find_filter(std::string_view name, bool chat);
const Builtin* find_test(std::string_view name);
/// The global functions of Jinja2; with `chat` also those of transformers.
const Builtin* find_global(std::string_view name, bool chat);
/// "<class 'range'>".
std::string function_repr(const Builtin& builtin);

/// The tables of filters, one a source file.
std::span<const Builtin> text_filters();
std::span<const Builtin> layout_filters();
std::span<const Builtin> number_filters();
std::span<const Builtin> sequence_filters();
std::span<const Builtin> lazy_filters();
std::span<const Builtin> markup_filters();
std::span<const Builtin> regex_filters();
std::span<const Builtin> json_filters(bool chat);

}  // namespace tare::text::jinja
