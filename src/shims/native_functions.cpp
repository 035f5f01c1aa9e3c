#include "shims/native_functions.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/files.h"
#include "base/hash.h"
#include "base/python.h"
#include "shims/classes.h"
#include "shims/convert.h"
#include "shims/dataset.h"
#include "shims/loaded_module.h"
#include "text/jinja/import.h"

namespace tare::shims {
namespace {

using core::FunctionRef;
using core::FunctionUse;
namespace fs = std::filesystem;

/// The arguments of a call in Python, by the conventions of core/functions.h.
Arguments arguments_of(Interpreter& python, FunctionUse use, std::span<const base::Value> given) {
  Arguments arguments;
  auto in = [&](std::size_t i) { return text::jinja::import_value(python.heap(), given[i]); };
  auto names = [&](std::size_t i) {
    for (const auto& [key, value] : given[i].as_dict())
      arguments.named.emplace_back(key.as_string(),
                                   text::jinja::import_value(python.heap(), value));
  };
  switch (use) {
    case FunctionUse::documents: {
      std::vector<Value> rows;
      for (const base::Value& document : given[0].items())
        rows.push_back(text::jinja::import_value(python.heap(), document));
      arguments.positional = {python.heap().make<Dataset>(std::move(rows))};
      break;
    }
    case FunctionUse::metric:
      arguments.named = {{"references", in(0)}, {"predictions", in(1)}};
      if (given.size() > 2) names(2);
      break;
    case FunctionUse::filter:
      arguments.positional = {in(0), in(1)};
      if (given.size() > 2) names(2);
      break;
    case FunctionUse::custom_dataset:
      if (!given.empty()) names(0);
      break;
    default:
      for (std::size_t i = 0; i < given.size(); ++i) arguments.positional.push_back(in(i));
  }
  return arguments;
}

base::Value result_of(Interpreter& python, FunctionUse use, const Value& value) {
  const bool list =
      use == FunctionUse::documents || use == FunctionUse::samples || use == FunctionUse::filter;
  if (!list) return copy_out(python, value);
  base::List items;
  for (const Value& item : python.collect(value)) items.push_back(copy_out(python, item));
  return items;
}

/// Reads the files that stand in the table; without a table those beside and above the helper.
std::optional<std::string> read_needed(const fs::path& helper, const Table::File* known,
                                       const std::string& path) {
  const fs::path wanted = plain(path);
  if (known != nullptr) {
    const bool listed = std::ranges::any_of(known->imports, [&](const auto& entry) {
      return needed_file(helper, entry.first) == wanted;
    });
    if (!listed) return std::nullopt;
  }
  auto content = base::read_file(wanted);
  return content ? std::optional<std::string>(std::move(*content)) : std::nullopt;
}

base::Value call_in(LoadedModule& loaded, const FunctionRef& function, FunctionUse use,
                    std::span<const base::Value> given) {
  Interpreter& python = loaded.python();
  const Value callee = python.member(loaded.scope(), function.function());
  Arguments arguments = arguments_of(python, use, given);
  if (as_kind<Class>(callee) == nullptr)
    return result_of(python, use, python.call(callee, std::move(arguments)));
  if (use != FunctionUse::filter) text::jinja::unsupported("a class is built in as a filter alone");
  return result_of(python, use, apply_filter(python, callee, std::move(arguments)));
}

/// What came out, and whether a set was walked over on the way.
struct Outcome {
  base::Value value;
  bool over_set = false;
};

Outcome run_once(LoadedModules& modules, const Table::File* known, const FunctionRef& function,
                 FunctionUse use, std::span<const base::Value> given, Interpreter::SetOrder order) {
  auto read_file = [helper = function.file, known](const std::string& path) {
    return read_needed(helper, known, path);
  };
  auto loaded = modules.take(function.file, read_file, order);
  Outcome outcome{call_in(*loaded, function, use, given), loaded->python().walked_over_set()};
  modules.give_back(std::move(loaded));
  return outcome;
}

base::Value run(LoadedModules& modules, const Table::File* known, const FunctionRef& function,
                FunctionUse use, std::span<const base::Value> given) {
  using Order = Interpreter::SetOrder;
  Outcome outcome = run_once(modules, known, function, use, given, Order::inserted);
  if (!outcome.over_set) return std::move(outcome.value);
  const Outcome other = run_once(modules, known, function, use, given, Order::reversed);
  if (base::python::repr(outcome.value) != base::python::repr(other.value))
    text::jinja::unsupported("the outcome depends on the order of a set");
  return std::move(outcome.value);
}

Table must_parse(std::string_view text) {
  auto table = parse_table(text);
  return table ? std::move(*table) : Table();
}

}  // namespace

NativeFunctions::NativeFunctions() : NativeFunctions(must_parse(builtin_table())) {}
NativeFunctions::NativeFunctions(Table table)
    : table_(std::move(table)), modules_(std::make_unique<LoadedModules>()) {}
NativeFunctions::~NativeFunctions() = default;

bool NativeFunctions::same_imports(const Table::File& file, const fs::path& path) const {
  if (file.imports.empty()) return true;
  const auto [known, is_new] = imports_.try_emplace(path.string(), true);
  if (is_new)
    known->second = std::ranges::all_of(file.imports, [&](const auto& import) {
      const fs::path imported = needed_file(path, import.first);
      const auto hash =
          imported.empty() ? base::Result<std::string>("") : base::sha256_file(imported);
      return hash && *hash == import.second;
    });
  return known->second;
}

bool NativeFunctions::knows(const FunctionRef& function, FunctionUse use) const {
  if (function.file.empty()) return false;
  if (table_.files.empty()) return true;
  const auto file = table_.files.find(function.sha256);
  if (file == table_.files.end()) return false;
  return file->second.functions.contains({use, function.function()}) &&
         same_imports(file->second, function.file);
}

base::Result<base::Value> NativeFunctions::call(const FunctionRef& function, FunctionUse use,
                                                std::span<const base::Value> arguments) {
  if (!knows(function, use))
    return base::input_error(
        fmt::format("!function {}: not among the functions that are built in; use --allow-python",
                    function.name));
  try {
    const auto known = table_.files.find(function.sha256);
    return run(*modules_, known != table_.files.end() ? &known->second : nullptr, function, use,
               arguments);
  } catch (const text::jinja::Failure& failure) {
    return base::input_error(fmt::format("!function {}, line {}: {}: {}", function.name,
                                         failure.line(), failure_name(failure.kind()),
                                         failure.text()));
  } catch (const std::exception& error) {
    return base::input_error(fmt::format("!function {}: {}", function.name, error.what()));
  }
}

}  // namespace tare::shims
