#include "data/json_table.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/json.h"
#include "base/python.h"
#include "data/infer.h"
#include "data/json_document.h"
#include "data/json_text.h"
#include "data/ujson.h"
#include "data/utf8.h"

namespace tare::data {
namespace {

using base::List;
using base::Result;
using base::Value;

using Batches = std::vector<Batch>;

base::Status check_objects(const List& rows, std::size_t first_row) {
  const auto odd =
      std::find_if(rows.begin(), rows.end(), [](const Value& row) { return !row.is_dict(); });
  if (odd == rows.end()) return {};
  return base::input_error(fmt::format("row {}: found {}, wanted an object",
                                       first_row + static_cast<std::size_t>(odd - rows.begin()),
                                       base::python::repr(*odd)));
}

Type infer_with(const List& rows, InferRules rules, const Type* known) {
  Type schema = infer(rows, rules);
  if (known != nullptr) adopt_json(schema, *known);
  return schema;
}

/// A row after ujson, where columns that hold mixed types stand in every row, if need be at its
/// end.
Value rewritten(const Value& row, const std::vector<Value>& mixed) {
  base::Dict dict = ujson::rounded(row).as_dict();
  for (const Value& name : mixed)
    if (dict.find(name) == nullptr) dict.set(name, Value());
  return dict;
}

/// Types rows and puts them into that form. A place with mixed types sends all rows through ujson.
Batch typed(List rows, InferRules rules, const Type* known) {
  Type schema = infer_with(rows, rules, known);
  std::vector<Value> mixed;
  for (const Field& field : schema.fields)
    if (find_json(field.type)) mixed.push_back(field.name);
  if (!mixed.empty()) {
    for (Value& row : rows) row = rewritten(row, mixed);
    schema = infer_with(rows, rules, known);
  }
  for (Value& row : rows) row = conform(row, schema);
  return {std::move(schema), std::move(rows), {}};
}

/// What stands in one list: objects, or values for a column "text". The reference decides by the
/// first brace or quote among the first bytes.
Result<Batches> read_list(std::string_view text, const Type* known) {
  TARE_TRY(const Value list, base::json::parse(text));
  const std::string_view start = text.substr(0, 100);
  const bool objects = start.substr(0, start.find('"')).find('{') != std::string_view::npos;
  List rows;
  for (const Value& item : list.items()) {
    Value row = ujson::rounded(item);
    if (!objects) {
      base::Dict dict;
      dict.set("text", std::move(row));
      row = std::move(dict);
    }
    rows.push_back(std::move(row));
  }
  TARE_CHECK(check_objects(rows, 1));
  if (rows.empty()) return Batches{};
  Batches batches;
  batches.push_back(typed(std::move(rows), {}, known));
  return batches;
}

/// The next batch's length: the fixed number of bytes and the rest of the line.
std::size_t batch_length(std::string_view rest) {
  if (rest.size() <= kJsonBatchBytes) return rest.size();
  const std::size_t end = rest.find('\n', kJsonBatchBytes);
  return std::min(end, rest.size() - 1) + 1;
}

Result<Batches> read_rows(std::string_view text, bool first_batch_only, const Type* known) {
  Batches batches;
  std::size_t row = 1;
  for (std::string_view rest = text; !rest.empty();) {
    const std::string_view part = rest.substr(0, batch_length(rest));
    rest.remove_prefix(part.size());
    TARE_TRY(JsonRows found, parse_json_rows(text, part));
    TARE_CHECK(check_objects(found.rows, row));
    row += found.rows.size();
    if (found.rows.empty()) continue;
    const Type* seen = batches.empty() ? known : &batches.front().schema;
    // Only the first rows of a data set are looked through for objects with free keys.
    const bool free_objects = found.one_a_line && seen == nullptr;
    batches.push_back(typed(std::move(found.rows), {true, free_objects}, seen));
    if (first_batch_only) break;
  }
  return batches;
}

Result<Batches> read_field(std::string_view text, const std::string& field) {
  TARE_TRY(const Value root, base::json::parse(text));
  const Value* value = root.find(field);
  if (value == nullptr) {
    std::string found = "no object";
    if (root.is_dict()) {
      List names;
      for (const auto& [key, item] : root.as_dict()) names.push_back(key);
      found = "an object with " + base::python::repr(Value(names));
    }
    return base::input_error(
        fmt::format("found {}, wanted the field {}", found, base::python::repr(field)));
  }
  return read_json_document(ujson::rounded(*value));
}

Result<Batches> read(std::string_view text, const JsonOptions& options, const Type* known) {
  if (options.field) return read_field(text, *options.field);
  if (text.substr(0, 1) == "[") return read_list(text, known);
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first != std::string_view::npos && text[first] == '[') {
    TARE_TRY(const Value list, base::json::parse(text));
    return read_json_document(list);
  }
  return read_rows(text, options.first_batch_only, known);
}

}  // namespace

Result<std::vector<Batch>> read_json_table(std::string_view text, std::string_view name,
                                           const JsonOptions& options, const Type* known) {
  auto batches = read(without_byte_order_mark(text), options, known);
  if (!batches) return base::in_context(std::string(name), batches.error());
  return batches;
}

}  // namespace tare::data
