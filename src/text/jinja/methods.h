#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string_view>

#include "text/jinja/builtin.h"

namespace tare::text::jinja {

/// The types that have methods.
enum class MethodOwner { string, integer, real, list, tuple, dict, range, cycler, datetime, loop };
inline constexpr std::size_t kMethodOwners = 10;

/// The methods of one name, one a type: looked up when the template is parsed.
using MethodSet = std::array<const Builtin*, kMethodOwners>;
MethodSet methods_named(std::string_view name);

/// The method of `value` among those of one name, or null.
const Builtin* method_of(const Value& value, const MethodSet& methods);

/// The tables, one a type; the many methods of strings are in three.
std::span<const Builtin> string_case_methods();
std::span<const Builtin> string_search_methods();
std::span<const Builtin> string_split_methods();
std::span<const Builtin> integer_methods();
std::span<const Builtin> real_methods();
std::span<const Builtin> list_methods();
std::span<const Builtin> tuple_methods();
std::span<const Builtin> dict_methods();
std::span<const Builtin> range_methods();
std::span<const Builtin> cycler_methods();
std::span<const Builtin> datetime_methods();
std::span<const Builtin> loop_methods();

}  // namespace tare::text::jinja
