#include "shims/native_functions.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/files.h"
#include "base/hash.h"
#include "shims/convert.h"
#include "shims/dataset.h"
#include "shims/interpreter.h"
#include "text/jinja/import.h"

namespace tare::shims {
namespace {

using core::FunctionRef;
using core::FunctionUse;
namespace fs = std::filesystem;

fs::path plain(const fs::path& path) {
  return fs::absolute(path).lexically_normal();
}

/// The file of what a helper needs: a file named from its folder, or a module imported by its full
/// name, which is looked for as lm_eval/tasks/... beside and above the helper. Empty if there is
/// none.
fs::path needed_file(const fs::path& helper, const std::string& module) {
  if (module.ends_with(".json")) return plain(helper.parent_path() / module);
  fs::path relative;
  for (std::size_t at = 0; at <= module.size();) {
    const std::size_t end = std::min(module.find('.', at), module.size());
    relative /= module.substr(at, end - at);
    at = end + 1;
  }
  relative += ".py";
  if (*relative.begin() != "lm_eval" || module.starts_with("lm_eval.utils")) return {};
  std::error_code ignored;
  for (fs::path folder = fs::absolute(helper).parent_path(); folder.has_relative_path();
       folder = folder.parent_path())
    if (fs::is_regular_file(folder / relative, ignored)) return folder / relative;
  return {};
}

std::shared_ptr<const ModuleCode> code_of(Caches& caches, const fs::path& file) {
  auto& known = caches.modules[file.string()];
  if (known != nullptr) return known;
  const auto source = base::read_file(file);
  if (!source) text::jinja::unsupported(source.error().text);
  known = std::make_shared<const ModuleCode>(parse_module(*source));
  return known;
}

/// The task's documents may be many: bounds that only stop a run that went wrong.
const text::jinja::Options& bounds() {
  static const text::jinja::Options kBounds = [] {
    text::jinja::Options options;
    options.max_memory_bytes = std::size_t{16} << 30;
    options.max_steps = 20'000'000'000;
    return options;
  }();
  return kBounds;
}

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
  if (use != FunctionUse::documents && use != FunctionUse::samples) return copy_out(python, value);
  base::List documents;
  for (const Value& row : python.collect(value)) documents.push_back(copy_out(python, row));
  return documents;
}

/// Reads the files that stand in the table; without a table those beside and above the helper.
std::optional<std::string> read_needed(const FunctionRef& function, const Table::File* known,
                                       const std::string& path) {
  const fs::path wanted = plain(path);
  if (known != nullptr) {
    const bool listed = std::ranges::any_of(known->imports, [&](const auto& entry) {
      return needed_file(function.file, entry.first) == wanted;
    });
    if (!listed) return std::nullopt;
  }
  auto content = base::read_file(wanted);
  return content ? std::optional<std::string>(std::move(*content)) : std::nullopt;
}

base::Value run(Caches& caches, const Table::File* known, const FunctionRef& function,
                FunctionUse use, std::span<const base::Value> given) {
  Heap heap(bounds());
  auto find_module = [&](const std::string& module) {
    const fs::path file = needed_file(function.file, module);
    return file.empty() ? nullptr : code_of(caches, file);
  };
  auto read_file = [&](const std::string& path) { return read_needed(function, known, path); };
  Interpreter python(heap, caches, find_module, read_file);
  Scope& module = python.load(*code_of(caches, function.file), plain(function.file).string());
  const Value callee = python.member(module, function.function());
  return result_of(python, use, python.call(callee, arguments_of(python, use, given)));
}

Table must_parse(std::string_view text) {
  auto table = parse_table(text);
  return table ? std::move(*table) : Table();
}

}  // namespace

NativeFunctions::NativeFunctions() : NativeFunctions(must_parse(builtin_table())) {}
NativeFunctions::NativeFunctions(Table table)
    : table_(std::move(table)), caches_(std::make_unique<Caches>()) {}
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
    return run(*caches_, known != table_.files.end() ? &known->second : nullptr, function, use,
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
