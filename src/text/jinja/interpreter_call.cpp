#include <fmt/format.h>

#include <algorithm>

#include "base/python.h"
#include "text/jinja/at_line.h"
#include "text/jinja/attributes.h"
#include "text/jinja/interpreter.h"
#include "text/jinja/iterate.h"
#include "text/jinja/output.h"

namespace tare::text::jinja {
namespace {

/// Takes the argument `name` out of `named`; missing when there is none.
Value take(std::vector<NamedArgument>& named, std::string_view name) {
  const auto it = std::find_if(named.begin(), named.end(),
                               [&](const NamedArgument& a) { return a.first == name; });
  if (it == named.end()) return {};
  Value value = std::move(it->second);
  named.erase(it);
  return value;
}

}  // namespace

Arguments Interpreter::eval_arguments(const CallArguments& from) {
  Arguments arguments;
  arguments.positional.reserve(from.positional.size());
  for (const ExprPtr& value : from.positional) arguments.positional.push_back(eval(*value));
  for (const auto& [name, value] : from.named) arguments.named.emplace_back(name, eval(*value));
  if (from.star != nullptr || from.double_star != nullptr) add_star_arguments(from, arguments);
  return arguments;
}

void Interpreter::add_star_arguments(const CallArguments& from, Arguments& to) {
  if (from.star != nullptr) {
    const std::vector<Value> more = collect(heap_, eval(*from.star));
    to.positional.insert(to.positional.end(), more.begin(), more.end());
  }
  if (from.double_star == nullptr) return;
  const Value named = eval(*from.double_star);
  require_strictly_defined(named);
  const auto* dict = as<Dict>(named);
  if (dict == nullptr)
    type_error(fmt::format("argument after ** must be a mapping, not {}", type_name(named)));
  for (const auto& [key, value] : dict->entries()) {
    if (!key.is_string()) type_error("keywords must be strings");
    if (!take(to.named, key.str()).is_missing())
      type_error(fmt::format("got multiple values for keyword argument '{}'", key.str()));
    to.named.emplace_back(key.str(), value);
  }
}

Value Interpreter::evaluate_call(const CallExpr& e, Value caller) {
  auto arguments = [&] {
    Arguments found = eval_arguments(e.arguments);
    if (!caller.is_missing()) found.named.emplace_back("caller", caller);
    return found;
  };
  const auto* attribute = std::get_if<GetAttribute>(&e.callee->node);
  if (attribute == nullptr) {
    const Value callee = eval(*e.callee);
    return call(callee, arguments());
  }
  // A method called where it is named needs no method object.
  const Value object = eval(*attribute->object);
  if (const Builtin* method = method_of(object, attribute->methods))
    return run_builtin(heap_, *method, object, arguments());
  const Value callee = at_line(e.callee->line, [&] {
    return get_attribute(heap_, object, attribute->name, attribute->methods);
  });
  return call(callee, arguments());
}

Value Interpreter::call(const Value& callee, Arguments arguments) {
  require_defined(callee);
  if (const auto* method = as<Method>(callee))
    return run_builtin(heap_, *method->builtin, method->self, std::move(arguments));
  if (const auto* function = as<Function>(callee))
    return run_builtin(heap_, *function->builtin, {}, std::move(arguments));
  if (const auto* macro = as<Macro>(callee)) return call_macro(*macro, std::move(arguments));
  if (const auto* loop = as<Loop>(callee)) return call_loop(*loop, arguments);
  auto* joiner = as<Joiner>(callee);
  if (joiner == nullptr) type_error(fmt::format("'{}' object is not callable", type_name(callee)));
  if (!arguments.positional.empty() || !arguments.named.empty())
    type_error("a joiner takes no arguments");
  return std::exchange(joiner->used, true) ? joiner->separator : heap_.text("");
}

Value Interpreter::call_loop(const Loop& loop, const Arguments& arguments) {
  if (arguments.positional.size() + arguments.named.size() != 1 ||
      (!arguments.named.empty() && arguments.named[0].first != "iterable"))
    type_error("loop() takes one argument, what to iterate over");
  if (loop.recursive == nullptr)
    type_error("The loop must have the 'recursive' marker to be called recursively.");
  heap_.step();
  const Value& iterable =
      arguments.positional.empty() ? arguments.named[0].second : arguments.positional[0];
  return recursive_loop(*loop.recursive, iterable, loop.closure, loop.depth0 + 1);
}

Value Interpreter::call_macro(const Macro& macro, Arguments arguments) {
  heap_.step();
  const FrameScope frame(*this, macro.body.function, macro.closure);
  bind_macro(macro, std::move(arguments));
  Capture captured(*this);
  block(macro.body.body);
  return heap_.text(std::move(captured.text));
}

void Interpreter::bind_macro(const Macro& macro, Arguments arguments) {
  const MacroBody& body = macro.body;
  const std::size_t consumed = std::min(arguments.positional.size(), body.parameters.size());
  for (std::size_t i = 0; i < consumed; ++i) slot(body.parameters[i].ref) = arguments.positional[i];
  bool found_caller = consumed == body.parameters.size() && body.explicit_caller;
  for (std::size_t i = consumed; i < body.parameters.size(); ++i) {
    slot(body.parameters[i].ref) = take(arguments.named, body.parameters[i].name);
    found_caller = found_caller || body.parameters[i].name == "caller";
  }
  bind_specials(body, std::move(arguments), consumed, found_caller);
  enter(body.scope);
  for (const auto& parameter : body.parameters) {
    Value& value = slot(parameter.ref);
    if (!value.is_missing()) continue;
    Value otherwise =
        parameter.otherwise != nullptr
            ? eval(*parameter.otherwise)
            : heap_.undefined(fmt::format("parameter {} was not provided",
                                          base::python::repr(std::string_view(parameter.name))));
    slot(parameter.ref) = std::move(otherwise);
  }
}

/// Puts what is left of the arguments into caller, kwargs and varargs, or refuses it.
void Interpreter::bind_specials(const MacroBody& body, Arguments arguments, std::size_t consumed,
                                bool found_caller) {
  const std::string name =
      body.name.empty() ? "None" : base::python::repr(std::string_view(body.name));
  if (body.caller.variable >= 0 && !found_caller) {
    Value caller = take(arguments.named, "caller");
    const bool none = caller.is_missing() || caller.is_none();
    slot(body.caller) = none ? heap_.undefined("No caller defined") : std::move(caller);
  }
  if (body.kwargs.variable >= 0) {
    auto* dict = heap_.make<Dict>();
    for (const auto& [key, value] : arguments.named) dict->set(heap_, heap_.text(key), value);
    slot(body.kwargs) = dict;
  } else if (!arguments.named.empty()) {
    type_error(fmt::format("macro {} takes no keyword argument {}", name,
                           base::python::repr(std::string_view(arguments.named[0].first))));
  }
  std::vector<Value> rest(arguments.positional.begin() + static_cast<std::ptrdiff_t>(consumed),
                          arguments.positional.end());
  if (body.varargs.variable >= 0)
    slot(body.varargs) = heap_.tuple(std::move(rest));
  else if (!rest.empty())
    type_error(
        fmt::format("macro {} takes not more than {} argument(s)", name, body.parameters.size()));
}

}  // namespace tare::text::jinja
