#include "text/jinja/macro.h"

#include "base/python.h"
#include "text/jinja/ast.h"

namespace tare::text::jinja {

Value macro_attribute(Heap& heap, const Macro& macro, std::string_view name) {
  const MacroBody& body = macro.body;
  if (name == "name") return body.name.empty() ? Value::none() : Value::borrowed(body.name);
  if (name == "catch_kwargs") return body.kwargs.variable >= 0;
  if (name == "catch_varargs") return body.varargs.variable >= 0;
  if (name == "caller") return body.caller.variable >= 0;
  if (name == "explicit_caller") return body.explicit_caller;
  if (name != "arguments") return {};
  std::vector<Value> names;
  for (const auto& parameter : body.parameters) names.push_back(Value::borrowed(parameter.name));
  return heap.tuple(std::move(names));
}

std::string macro_repr(const Macro& macro) {
  const std::string& name = macro.body.name;
  return "<Macro " + (name.empty() ? "anonymous" : base::python::repr(std::string_view(name))) +
         ">";
}

}  // namespace tare::text::jinja
