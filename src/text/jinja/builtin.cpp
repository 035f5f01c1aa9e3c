#include "text/jinja/builtin.h"

#include <fmt/format.h>

#include <algorithm>

#include "text/jinja/methods.h"
#include "text/jinja/operators.h"

namespace tare::text::jinja {
namespace {

std::size_t parameter_count(const Builtin& builtin) {
  const auto end = std::find(builtin.parameters.begin(), builtin.parameters.end(), "");
  return static_cast<std::size_t>(end - builtin.parameters.begin());
}

std::size_t parameter_index(const Builtin& builtin, std::string_view name) {
  const auto it = std::find(builtin.parameters.begin(), builtin.parameters.end(), name);
  if (it == builtin.parameters.end() || builtin.has(Builtin::positional_only))
    type_error(fmt::format("{}() got an unexpected keyword argument '{}'", builtin.name, name));
  return static_cast<std::size_t>(it - builtin.parameters.begin());
}

std::vector<Value> bind(const Builtin& builtin, Arguments arguments) {
  const std::size_t count = parameter_count(builtin);
  std::vector<Value> bound = std::move(arguments.positional);
  if (bound.size() > count)
    type_error(fmt::format("{}() takes at most {} argument(s), {} given", builtin.name, count,
                           bound.size()));
  bound.resize(count);
  for (auto& [name, value] : arguments.named) {
    Value& place = bound[parameter_index(builtin, name)];
    if (!place.is_missing())
      type_error(fmt::format("{}() got multiple values for argument '{}'", builtin.name, name));
    place = std::move(value);
  }
  for (std::size_t i = 0; i < builtin.required; ++i)
    if (bound[i].is_missing())
      type_error(fmt::format("{}() missing required argument '{}' (pos {})", builtin.name,
                             builtin.parameters.at(i), i + 1));
  return bound;
}

}  // namespace

std::int64_t Call::integer(std::size_t i, std::int64_t otherwise) const {
  if (!has(i)) return otherwise;
  if (!args[i].is_integral())
    type_error(fmt::format("'{}' object cannot be interpreted as an integer", type_name(args[i])));
  return args[i].as_int();
}

bool Call::flag(std::size_t i, bool otherwise) const {
  return has(i) ? truthy(args[i]) : otherwise;
}

const std::string& Call::string(std::size_t i) const {
  if (!args[i].is_string())
    type_error(
        fmt::format("{}() argument {} must be str, not {}", name, i + 1, type_name(args[i])));
  return args[i].str();
}

Value Call::value(std::size_t i) const {
  return has(i) ? args[i] : Value::none();
}

Value run_builtin(Heap& heap, const Builtin& builtin, Value self, Arguments arguments) {
  heap.step();
  if (builtin.has(Builtin::mutates) && heap.options().chat)
    fail(FailureKind::security, fmt::format("access to attribute '{}' of '{}' object is unsafe.",
                                            builtin.name, type_name(self)));
  Call call{heap, builtin.name, std::move(self), {}, {}};
  if (builtin.has(Builtin::variadic)) {
    call.args = std::move(arguments.positional);
    call.named = std::move(arguments.named);
  } else {
    call.args = bind(builtin, std::move(arguments));
  }
  return builtin.run(call);
}

const Builtin* find_builtin(std::span<const Builtin> table, std::string_view name) {
  const auto it = std::find_if(table.begin(), table.end(),
                               [&](const Builtin& builtin) { return builtin.name == name; });
  return it == table.end() ? nullptr : &*it;
}

const Builtin* find_filter(std::string_view name, bool chat) {
  for (const auto table : {text_filters(), layout_filters(), number_filters(), sequence_filters(),
                           lazy_filters(), markup_filters(), json_filters(chat), regex_filters()})
    if (const Builtin* found = find_builtin(table, name)) return found;
  return nullptr;
}

MethodSet methods_named(std::string_view name) {
  MethodSet methods{};
  auto put = [&](MethodOwner owner, std::span<const Builtin> table) {
    if (const Builtin* found = find_builtin(table, name))
      methods.at(static_cast<std::size_t>(owner)) = found;
  };
  for (const auto table : {string_case_methods(), string_search_methods(), string_split_methods()})
    put(MethodOwner::string, table);
  put(MethodOwner::integer, integer_methods());
  put(MethodOwner::real, real_methods());
  put(MethodOwner::list, list_methods());
  put(MethodOwner::tuple, tuple_methods());
  put(MethodOwner::dict, dict_methods());
  put(MethodOwner::range, range_methods());
  put(MethodOwner::cycler, cycler_methods());
  put(MethodOwner::datetime, datetime_methods());
  put(MethodOwner::loop, loop_methods());
  return methods;
}

const Builtin* method_of(const Value& value, const MethodSet& methods) {
  auto of = [&](MethodOwner owner) { return methods[static_cast<std::size_t>(owner)]; };
  if (value.is_string()) return of(MethodOwner::string);
  if (value.is_integral()) return of(MethodOwner::integer);
  if (value.is_real()) return of(MethodOwner::real);
  const Object* object = value.object();
  if (object == nullptr) return nullptr;
  switch (object->kind) {
    case Object::Kind::list:
      return of(MethodOwner::list);
    case Object::Kind::tuple:
      return of(MethodOwner::tuple);
    case Object::Kind::dict:
      return of(MethodOwner::dict);
    case Object::Kind::range:
      return of(MethodOwner::range);
    case Object::Kind::cycler:
      return of(MethodOwner::cycler);
    case Object::Kind::datetime:
      return of(MethodOwner::datetime);
    case Object::Kind::loop:
      return of(MethodOwner::loop);
    default:
      return nullptr;
  }
}

}  // namespace tare::text::jinja
