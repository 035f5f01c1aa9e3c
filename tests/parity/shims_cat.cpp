// Runs helper functions for the comparison with Python (shims.py): each line of stdin is a JSON
// object {file, function, use, arguments}, each line of stdout {value} or {error}.
#include <array>
#include <iostream>
#include <string>

#include "base/hash.h"
#include "base/json.h"
#include "base/python.h"
#include "shims/native_functions.h"

namespace tare::test {
namespace {

core::FunctionUse use_of(std::string_view name) {
  for (int i = 0; i <= static_cast<int>(core::FunctionUse::custom_dataset); ++i)
    if (shims::use_name(static_cast<core::FunctionUse>(i)) == name)
      return static_cast<core::FunctionUse>(i);
  return core::FunctionUse::document_field;
}

/// Arguments come as the repr of a Python list, results go back as one: JSON has no tuples.
base::Value answer(shims::NativeFunctions& functions, const std::string& line) {
  base::Dict out;
  const auto request = base::json::parse(line);
  if (!request) {
    out.set("error", request.error().text);
    return out;
  }
  core::FunctionRef function;
  function.file = request->find("file")->as_string();
  function.name = "helper." + request->find("function")->as_string();
  function.sha256 = base::sha256_file(function.file).value_or("");
  const auto arguments = base::python::parse_literal(request->find("arguments")->as_string());
  if (!arguments) {
    out.set("error", "arguments: " + arguments.error().text);
    return out;
  }
  const auto result =
      functions.call(function, use_of(request->find("use")->as_string()), arguments->items());
  if (result)
    out.set("value", base::python::repr(*result));
  else
    out.set("error", result.error().text);
  return out;
}

}  // namespace
}  // namespace tare::test

/// With the argument --all every function is run, not only those of the table.
int main(int argc, char** argv) {
  using tare::shims::NativeFunctions;
  const bool all = argc > 1 && std::string_view(argv[1]) == "--all";
  auto functions = all ? std::make_unique<NativeFunctions>(tare::shims::Table())
                       : std::make_unique<NativeFunctions>();
  for (std::string line; std::getline(std::cin, line);)
    std::cout << tare::base::json::dump(tare::test::answer(*functions, line)) << '\n' << std::flush;
  return 0;
}
