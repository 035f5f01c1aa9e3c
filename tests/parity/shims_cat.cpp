// Runs helper functions for the comparison with Python (shims.py): each line of stdin is a JSON
// object {file, function, use, arguments}, each line of stdout {value} or {error}.
#include <cmath>
#include <string>

#include "base/hash.h"
#include "base/json.h"
#include "base/python.h"
#include "parity/answer_lines.h"
#include "shims/native_functions.h"

namespace tare::test {
namespace {

core::FunctionUse use_of(std::string_view name) {
  for (int i = 0; i <= static_cast<int>(core::FunctionUse::custom_dataset); ++i)
    if (shims::use_name(static_cast<core::FunctionUse>(i)) == name)
      return static_cast<core::FunctionUse>(i);
  return core::FunctionUse::document_field;
}

/// NaN has no literal: a marked text stands for it.
base::Value with_nan(const base::Value& value) {
  if (value.is_string() && value.as_string() == std::string_view("\0nan", 4)) return std::nan("");
  if (value.is_sequence()) {
    base::List items;
    for (const base::Value& item : value.items()) items.push_back(with_nan(item));
    return value.is_list() ? base::Value(std::move(items)) : base::Value::tuple(std::move(items));
  }
  if (!value.is_dict()) return value;
  base::Dict dict;
  for (const auto& [key, item] : value.as_dict()) dict.set(key, with_nan(item));
  return dict;
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
  const base::Value given = with_nan(*arguments);
  const auto result =
      functions.call(function, use_of(request->find("use")->as_string()), given.items());
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
  tare::test::answer_lines(
      [&](const std::string& line) { return tare::test::answer(*functions, line); });
  return 0;
}
