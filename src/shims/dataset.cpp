#include "shims/dataset.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "shims/column.h"
#include "shims/convert.h"
#include "shims/library.h"
#include "text/jinja/dicts.h"

namespace tare::shims {
namespace {

using text::jinja::fail;
using text::jinja::type_error;
using text::jinja::unsupported;

Dict& row_of(const Value& row) {
  return *as<Dict>(row);
}

/// Refuses what changes the meaning and is not built in; passes over what only changes the speed.
void check_options(const Arguments& a, std::initializer_list<std::string_view> known) {
  static constexpr std::string_view kHarmless[] = {"num_proc", "load_from_cache_file", "desc",
                                                   "keep_in_memory", "new_fingerprint"};
  for (const auto& [name, value] : a.named)
    if (std::ranges::find(known, name) == known.end() &&
        std::ranges::find(kHarmless, name) == std::end(kHarmless))
      unsupported(fmt::format("Dataset: the option {} is not built in", name));
}

std::vector<Value> names_argument(Interpreter& python, const Value& names) {
  if (names.is_missing() || names.is_none()) return {};
  return names.is_string() ? std::vector<Value>{names} : python.collect(names);
}

std::vector<std::string> column_names(const Dataset& dataset) {
  std::vector<std::string> names;
  if (!dataset.rows.empty())
    for (const auto& [key, unused] : row_of(dataset.rows[0]).entries()) names.push_back(key.str());
  return names;
}

/// A copy that a function may change, nested values too.
Value fresh(Interpreter& python, const Value& value) {
  Heap& heap = python.heap();
  if (const auto* list = as<List>(value)) {
    std::vector<Value> items;
    for (const Value& item : list->items) items.push_back(fresh(python, item));
    return heap.list(std::move(items));
  }
  const auto* dict = as<Dict>(value);
  if (dict == nullptr) return value;
  auto* copy = heap.make<Dict>();
  for (const auto& [key, item] : dict->entries()) copy->set(heap, key, fresh(python, item));
  return copy;
}

std::vector<Dict*> dicts_of(const std::vector<Value>& rows) {
  std::vector<Dict*> dicts;
  for (const Value& row : rows) dicts.push_back(as<Dict>(row));
  return dicts;
}

std::vector<base::Value> column_of(Interpreter& python, const std::vector<Dict*>& rows,
                                   const std::string& name) {
  std::vector<base::Value> values;
  for (Dict* row : rows) {
    const Value* found = row->find(name);
    if (found == nullptr) fail(FailureKind::key, fmt::format("a row lacks the column '{}'", name));
    values.push_back(copy_out(python, *found));
  }
  return values;
}

/// The columns of rows that a function made, in the order of the old columns, then the new ones.
std::vector<Value> settle(Interpreter& python, const std::vector<Dict*>& made,
                          const std::vector<Dict*>& before) {
  std::vector<Value> rows;
  for (std::size_t i = 0; i < made.size(); ++i) rows.push_back(python.heap().make<Dict>());
  if (made.empty()) return rows;
  std::vector<std::pair<std::string, bool>> columns;  // and whether it was there before
  if (!before.empty())
    for (const auto& [key, unused] : before[0]->entries())
      if (made[0]->find(key.str()) != nullptr) columns.emplace_back(key.str(), true);
  for (const auto& entry : made[0]->entries()) {
    if (!entry.first.is_string()) type_error("a column's name must be a string");
    const std::string& name = entry.first.str();
    const bool listed =
        std::ranges::any_of(columns, [&](const auto& column) { return column.first == name; });
    if (!listed) columns.emplace_back(name, false);
  }
  for (const auto& [name, was_there] : columns) {
    const auto old = was_there ? column_of(python, before, name) : std::vector<base::Value>();
    const auto settled = settle_column(column_of(python, made, name), old);
    if (!settled && settled.error().kind == base::ErrorKind::input)
      unsupported(fmt::format("column '{}': {}", name, settled.error().text));
    if (!settled) type_error(fmt::format("column '{}': {}", name, settled.error().text));
    const Value key = python.heap().text(name);
    for (std::size_t i = 0; i < made.size(); ++i)
      row_of(rows[i]).set(python.heap(), key, copy_in(python, (*settled)[i]));
  }
  return rows;
}

/// map(): the row as the function left it, without the removed columns, then what it returned.
Value map(Interpreter& python, const Dataset& dataset, const Arguments& a) {
  check_options(a, {"function", "remove_columns", "with_indices"});
  const Value function = argument(a, 0, "function"), numbered = argument(a, 1, "with_indices");
  const auto removed = names_argument(python, argument(a, 99, "remove_columns"));
  const bool with_indices = !numbered.is_missing() && python.truthy(numbered);
  std::vector<Dict*> made;
  std::int64_t index = 0;
  for (const Value& row : dataset.rows) {
    const Value input = fresh(python, row);
    std::vector<Value> arguments = {input};
    if (with_indices) arguments.emplace_back(index++);
    const Value output = python.call(function, std::move(arguments));
    if (output.is_none() && made.empty()) continue;
    auto* merged = python.heap().make<Dict>();
    text::jinja::update_dict(python.heap(), *merged, input, {});
    for (const Value& name : removed) merged->take(python.heap(), name);
    if (as<Dict>(output) == nullptr) type_error("the function of map() must return a dict");
    if (output.object() != input.object())
      text::jinja::update_dict(python.heap(), *merged, output, {});
    made.push_back(merged);
  }
  if (made.empty()) return python.heap().make<Dataset>(dataset.rows);
  if (made.size() != dataset.rows.size()) type_error("the function of map() must return a dict");
  return python.heap().make<Dataset>(settle(python, made, dicts_of(dataset.rows)));
}

Value filter(Interpreter& python, const Dataset& dataset, const Arguments& a) {
  check_options(a, {"function", "with_indices"});
  const Value numbered = argument(a, 1, "with_indices");
  if (!numbered.is_missing() && python.truthy(numbered))
    unsupported("Dataset.filter(with_indices=True) is not built in");
  const Value function = argument(a, 0, "function");
  std::vector<Value> kept;
  for (const Value& row : dataset.rows)
    if (python.truthy(python.call(function, {fresh(python, row)}))) kept.push_back(row);
  return python.heap().make<Dataset>(std::move(kept));
}

Value select(Interpreter& python, const Dataset& dataset, const Arguments& a) {
  check_options(a, {"indices"});
  std::vector<Value> rows;
  for (const Value& index : python.collect(argument(a, 0, "indices"))) {
    if (!index.is_int()) type_error("select() needs integers");
    const auto size = static_cast<std::int64_t>(dataset.rows.size());
    const std::int64_t at = index.as_int() < 0 ? index.as_int() + size : index.as_int();
    if (at < 0 || at >= size) fail(FailureKind::index, "select(): index out of range");
    rows.push_back(dataset.rows[static_cast<std::size_t>(at)]);
  }
  return python.heap().make<Dataset>(std::move(rows));
}

template <class Change>
Value each_row(Interpreter& python, const Dataset& dataset, Change change) {
  std::vector<Value> rows;
  for (const Value& row : dataset.rows) {
    auto* copy = python.heap().make<Dict>();
    change(row_of(row), *copy);
    rows.emplace_back(copy);
  }
  return python.heap().make<Dataset>(std::move(rows));
}

Value rename(Interpreter& python, const Dataset& dataset, Dict& names) {
  for (const auto& [old, unused] : names.entries())
    if (!dataset.rows.empty() && row_of(dataset.rows[0]).find(python.heap(), old) == nullptr)
      text::jinja::value_error("a column to be renamed is not there");
  return each_row(python, dataset, [&](const Dict& row, Dict& copy) {
    for (const auto& [key, value] : row.entries()) {
      const Value* renamed = names.find(python.heap(), key);
      copy.set(python.heap(), renamed != nullptr ? *renamed : key, value);
    }
  });
}

Value rename_column(Interpreter& python, const Dataset& dataset, const Arguments& a) {
  auto* names = python.heap().make<Dict>();
  names->set(python.heap(), argument(a, 0, "original_column_name"),
             argument(a, 1, "new_column_name"));
  return rename(python, dataset, *names);
}

Value rename_columns(Interpreter& python, const Dataset& dataset, const Arguments& a) {
  auto* names = as<Dict>(argument(a, 0, "column_mapping"));
  if (names == nullptr) type_error("rename_columns() needs a dict");
  return rename(python, dataset, *names);
}

Value remove_columns(Interpreter& python, const Dataset& dataset, const Arguments& a) {
  const auto removed = names_argument(python, argument(a, 0, "column_names"));
  return each_row(python, dataset, [&](const Dict& row, Dict& copy) {
    text::jinja::update_dict(python.heap(), copy, const_cast<Dict*>(&row), {});
    for (const Value& name : removed)
      if (copy.take(python.heap(), name).is_missing())
        text::jinja::value_error("a column to be removed is not there");
  });
}

Value select_columns(Interpreter& python, const Dataset& dataset, const Arguments& a) {
  const auto wanted = names_argument(python, argument(a, 0, "column_names"));
  return each_row(python, dataset, [&](Dict& row, Dict& copy) {
    for (const Value& name : wanted) {
      const Value* found = row.find(python.heap(), name);
      if (found == nullptr) text::jinja::value_error("a column to be selected is not there");
      copy.set(python.heap(), name, *found);
    }
  });
}

using Operation = Value (*)(Interpreter&, const Dataset&, const Arguments&);
const std::map<std::string_view, Operation>& operations() {
  static const std::map<std::string_view, Operation> kOperations = {
      {"map", map},
      {"filter", filter},
      {"select", select},
      {"rename_column", rename_column},
      {"rename_columns", rename_columns},
      {"remove_columns", remove_columns},
      {"select_columns", select_columns},
  };
  return kOperations;
}

Value from_dict(Interpreter& python, const Arguments& a) {
  const auto* columns = as<Dict>(argument(a, 0, "mapping"));
  if (columns == nullptr) type_error("Dataset.from_dict() needs a dict");
  std::vector<Dict*> rows;
  bool is_first = true;
  for (const auto& [key, values] : columns->entries()) {
    const std::vector<Value> items = python.collect(values);
    if (std::exchange(is_first, false))
      for (std::size_t i = 0; i < items.size(); ++i) rows.push_back(python.heap().make<Dict>());
    if (items.size() != rows.size()) text::jinja::value_error("columns of different lengths");
    for (std::size_t i = 0; i < items.size(); ++i) rows[i]->set(python.heap(), key, items[i]);
  }
  return python.heap().make<Dataset>(settle(python, rows, {}));
}

Value from_list(Interpreter& python, const Arguments& a) {
  std::vector<Dict*> rows;
  for (const Value& row : python.collect(argument(a, 0, "mapping"))) {
    auto* dict = as<Dict>(row);
    if (dict == nullptr) type_error("Dataset.from_list() needs dicts");
    auto* copy = python.heap().make<Dict>();
    if (!rows.empty())
      for (const auto& [key, unused] : rows[0]->entries())
        copy->set(python.heap(), key, Value::none());
    for (const auto& [key, value] : dict->entries())
      if (rows.empty() || rows[0]->find(python.heap(), key) != nullptr)
        copy->set(python.heap(), key, value);
    rows.push_back(copy);
  }
  return python.heap().make<Dataset>(settle(python, rows, {}));
}

/// The class Dataset.
struct DatasetType final : PyObject {
  [[nodiscard]] std::string_view python_type() const override { return "type"; }
  Value attribute(Interpreter& python, std::string_view name) override {
    if (name == "from_list")
      return python.native("from_list",
                           [](Interpreter& p, Arguments& a) { return from_list(p, a); });
    if (name == "from_dict")
      return python.native("from_dict",
                           [](Interpreter& p, Arguments& a) { return from_dict(p, a); });
    return {};
  }
};

}  // namespace

Value Dataset::attribute(Interpreter& python, std::string_view name) {
  if (name == "column_names") {
    std::vector<Value> names;
    for (std::string& column : column_names(*this))
      names.push_back(python.heap().text(std::move(column)));
    return python.heap().list(std::move(names));
  }
  if (name == "num_rows") return static_cast<std::int64_t>(rows.size());
  const auto found = operations().find(name);
  if (found == operations().end()) return {};
  return python.native(
      std::string(name),
      [this, run = found->second](Interpreter& p, Arguments& a) { return run(p, *this, a); });
}

std::optional<std::vector<Value>> Dataset::items(Interpreter& python) {
  std::vector<Value> copies;
  for (const Value& row : rows) copies.push_back(fresh(python, row));
  return copies;
}

Value Dataset::item(Interpreter& python, const Value& index) {
  if (index.is_string()) {
    std::vector<Value> column;
    for (const Value& row : rows) column.push_back(fresh(python, python.item(row, index)));
    return python.heap().list(std::move(column));
  }
  return fresh(python, python.item(python.heap().list(rows), index));
}

Module* make_datasets(Interpreter& python) {
  auto* module = python.heap().make<Module>("datasets");
  module->members["Dataset"] = python.heap().make<DatasetType>();
  return module;
}

}  // namespace tare::shims
