#include "data/json_document.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/python.h"
#include "data/infer.h"
#include "data/timestamp.h"
#include "data/ujson.h"

namespace tare::data {
namespace {

using base::Dict;
using base::List;
using base::Result;
using base::Value;
using Kind = Type::Kind;

/// pandas takes smaller numbers for no date: a year in seconds.
constexpr std::int64_t kLeastDate = 31'536'000;

base::Failure no_table(std::string_view found) {
  return base::input_error(
      fmt::format("found {}, wanted a list of objects or an object of equally long lists", found));
}

Result<List> rows_of_list(const List& items) {
  const auto is_dict = [](const Value& item) { return item.is_dict(); };
  const auto is_scalar = [](const Value& item) { return !item.is_dict() && !item.is_list(); };
  if (std::all_of(items.begin(), items.end(), is_dict)) return items;
  if (!std::all_of(items.begin(), items.end(), is_scalar)) return no_table("a list of mixed items");
  List rows;
  for (const Value& item : items) {
    Dict row;
    row.set("text", item);
    rows.push_back(std::move(row));
  }
  return rows;
}

Result<List> rows_of_columns(const Dict& columns) {
  std::optional<std::size_t> length;
  for (const auto& [name, column] : columns) {
    if (!column.is_list())
      return no_table(fmt::format("{} as {}", base::python::repr(column), base::python::str(name)));
    if (length.value_or(column.items().size()) != column.items().size())
      return no_table(fmt::format("{} items in {} and {} before it", column.items().size(),
                                  base::python::str(name), *length));
    length = column.items().size();
  }
  List rows;
  for (std::size_t i = 0; i < length.value_or(0); ++i) {
    Dict row;
    for (const auto& [name, column] : columns) row.set(name, column.items()[i]);
    rows.push_back(std::move(row));
  }
  return rows;
}

Result<List> rows_of(const Value& root) {
  if (root.is_list()) return rows_of_list(root.items());
  if (root.is_dict()) return rows_of_columns(root.as_dict());
  return no_table(base::python::repr(root));
}

bool ends_with(std::string_view text, std::string_view end) {
  return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

/// Whether pandas tries to read a column of this name as dates.
bool names_dates(std::string name) {
  std::transform(name.begin(), name.end(), name.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return name == "date" || name == "modified" || name.rfind("timestamp", 0) == 0 ||
         ends_with(name, "_at") || ends_with(name, "_time");
}

/// A date given as a number counts seconds, or the first smaller unit with which the largest of the
/// column falls before the end of 64 bits of nanoseconds.
std::int64_t microseconds(std::int64_t number, std::int64_t largest) {
  constexpr std::int64_t kLastSecond = 9'223'372'036;
  if (largest <= kLastSecond) return number * 1'000'000;
  if (largest <= kLastSecond * 1'000) return number * 1'000;
  if (largest <= kLastSecond * 1'000'000) return number;
  return number / 1'000;
}

/// One column of the rows.
class Column {
 public:
  Column(const List& rows, const Value& name) {
    for (const Value& row : rows) {
      const Value* cell = row.find(name.as_string());
      cells_.push_back(cell == nullptr ? Value() : *cell);
    }
  }

  [[nodiscard]] const List& cells() const { return cells_; }

  template <class Test>
  [[nodiscard]] bool all(Test test) const {
    return std::all_of(cells_.begin(), cells_.end(),
                       [&](const Value& cell) { return cell.is_none() || test(cell); });
  }

  template <class Change>
  void change(const Change& change) {
    for (Value& cell : cells_)
      if (!cell.is_none()) cell = change(cell);
  }

 private:
  List cells_;
};

/// The part of a time before "Z" or "+00:00"; nothing if it does not end so.
std::optional<std::string_view> before_utc(std::string_view text) {
  for (const std::string_view end : {"Z", "+00:00"})
    if (ends_with(text, end)) return text.substr(0, text.size() - end.size());
  return std::nullopt;
}

/// What str() prints of a time with a zone, which is no DateTime here.
std::optional<Value> read_utc(const Value& cell) {
  const auto local = before_utc(cell.as_string());
  const auto time = local ? read_fine_timestamp(*local) : std::nullopt;
  if (!time) return std::nullopt;
  return base::python::str(*time) + "+00:00";
}

void read_dates(Column& column, Type& type) {
  if (type.kind == Kind::string) {
    if (column.all([](const Value& cell) { return read_utc(cell).has_value(); }))
      return column.change([](const Value& cell) { return *read_utc(cell); });
    if (!column.all([](const Value& cell) { return read_fine_timestamp(cell.as_string()); }))
      return;
    column.change([](const Value& cell) { return *read_fine_timestamp(cell.as_string()); });
    type.kind = Kind::timestamp;
  } else if (type.kind == Kind::integer) {
    if (!column.all([](const Value& cell) { return cell.as_int() > kLeastDate; })) return;
    std::int64_t largest = 0;
    for (const Value& cell : column.cells())
      if (!cell.is_none()) largest = std::max(largest, cell.as_int());
    column.change(
        [&](const Value& cell) { return base::DateTime{microseconds(cell.as_int(), largest)}; });
    type.kind = Kind::timestamp;
  }
}

void read_whole_numbers(Column& column, Type& type) {
  if (type.kind != Kind::real) return;
  const auto whole = [](const Value& cell) {
    const double number = cell.as_number();
    return std::trunc(number) == number && std::fabs(number) < 0x1p63;
  };
  if (!column.all(whole)) return;
  column.change([](const Value& cell) { return static_cast<std::int64_t>(cell.as_number()); });
  type.kind = Kind::integer;
}

}  // namespace

Result<std::vector<Batch>> read_json_document(const Value& root) {
  TARE_TRY(List rows, rows_of(root));
  std::transform(rows.begin(), rows.end(), rows.begin(), ujson::loaded);
  Batch batch{infer(rows, {false, false}), {}, {}};
  if (const auto mixed = find_json(batch.schema))
    return base::input_error(
        fmt::format("column {}: found values of mixed types, wanted one type", *mixed));
  if (rows.empty()) return std::vector<Batch>{};
  for (const Value& row : rows) batch.rows.push_back(conform(row, batch.schema));
  std::vector<Dict> dicts(batch.rows.size());
  for (Field& field : batch.schema.fields) {
    Column column(batch.rows, field.name);
    read_whole_numbers(column, field.type);
    if (names_dates(field.name.as_string())) read_dates(column, field.type);
    for (std::size_t i = 0; i < dicts.size(); ++i) dicts[i].set(field.name, column.cells()[i]);
  }
  batch.rows.assign(dicts.begin(), dicts.end());
  std::vector<Batch> batches;
  batches.push_back(std::move(batch));
  return batches;
}

}  // namespace tare::data
