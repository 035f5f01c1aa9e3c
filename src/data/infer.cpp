#include "data/infer.h"

#include <algorithm>
#include <optional>

#include "data/timestamp.h"
#include "data/ujson.h"

namespace tare::data {
namespace {

using base::Value;
using Kind = Type::Kind;
using Cells = std::vector<const Value*>;

/// One field of many objects: what stands under its name, None included.
struct Column {
  Value name;
  Cells cells;
};

/// Objects turned sideways, fields in order of first appearance.
class Columns {
 public:
  explicit Columns(const Cells& objects) {
    for (const Value* object : objects) {
      std::size_t guess = 0;  // rows mostly have the same keys in the same order
      for (const auto& [key, value] : object->as_dict()) {
        const std::size_t place = find(key, guess);
        columns_[place].cells.push_back(&value);
        guess = place + 1;
      }
    }
  }

  [[nodiscard]] const std::vector<Column>& get() const { return columns_; }

 private:
  std::size_t find(const Value& key, std::size_t guess) {
    const auto named = [&](const Column& column) {
      return column.name.as_string() == key.as_string();
    };
    if (guess < columns_.size() && named(columns_[guess])) return guess;
    const auto found = std::find_if(columns_.begin(), columns_.end(), named);
    if (found == columns_.end()) {
      columns_.push_back({key, {}});
      return columns_.size() - 1;
    }
    return static_cast<std::size_t>(found - columns_.begin());
  }

  std::vector<Column> columns_;
};

/// The kinds that Arrow's JSON parser tells apart; nothing if the cells mix them.
enum class JsonKind { boolean, number, string, list, object };

JsonKind json_kind(const Value& value) {
  if (value.is_bool()) return JsonKind::boolean;
  if (value.is_number()) return JsonKind::number;
  if (value.is_string()) return JsonKind::string;
  return value.is_list() ? JsonKind::list : JsonKind::object;
}

bool mixes_kinds(const Cells& cells) {
  const JsonKind first = json_kind(*cells.front());
  return std::any_of(cells.begin(), cells.end(),
                     [&](const Value* cell) { return json_kind(*cell) != first; });
}

Cells without_none(const Cells& cells) {
  Cells present;
  present.reserve(cells.size());
  std::copy_if(cells.begin(), cells.end(), std::back_inserter(present),
               [](const Value* cell) { return !cell->is_none(); });
  return present;
}

class Inference {
 public:
  explicit Inference(InferRules rules) : rules_(rules) {}

  [[nodiscard]] Type structure(const Cells& objects) const {
    return structure(Columns(objects).get());
  }

 private:
  [[nodiscard]] Type any(const Cells& all) const {
    const Cells cells = without_none(all);
    if (cells.empty()) return {Kind::null, {}, {}};
    if (mixes_kinds(cells)) return {Kind::json, {}, {}};
    switch (json_kind(*cells.front())) {
      case JsonKind::boolean:
        return {Kind::boolean, {}, {}};
      case JsonKind::number:
        return {number(cells), {}, {}};
      case JsonKind::string:
        return {string(cells), {}, {}};
      case JsonKind::list:
        return list(cells);
      case JsonKind::object:
        return object(cells);
    }
    return {};
  }

  static Kind number(const Cells& cells) {
    const bool integers =
        std::all_of(cells.begin(), cells.end(), [](const Value* cell) { return cell->is_int(); });
    return integers ? Kind::integer : Kind::real;
  }

  [[nodiscard]] Kind string(const Cells& cells) const {
    const auto dated = [](const Value* cell) {
      return read_timestamp(cell->as_string()).has_value();
    };
    return rules_.timestamps && std::all_of(cells.begin(), cells.end(), dated) ? Kind::timestamp
                                                                               : Kind::string;
  }

  [[nodiscard]] Type list(const Cells& lists) const {
    Cells items;
    for (const Value* each : lists)
      for (const Value& item : each->items()) items.push_back(&item);
    return list_of(any(items));
  }

  [[nodiscard]] Type object(const Cells& objects) const {
    const Columns columns(objects);
    const auto partial = [&](const Column& column) {
      return column.cells.size() != objects.size();
    };
    const auto& all = columns.get();
    if (rules_.free_objects && (all.empty() || std::any_of(all.begin(), all.end(), partial)))
      return {Kind::json, {}, {}};
    return structure(all);
  }

  [[nodiscard]] Type structure(const std::vector<Column>& columns) const {
    Type type{Kind::structure, {}, {}};
    type.fields.reserve(columns.size());
    for (const Column& column : columns) type.fields.push_back({column.name, any(column.cells)});
    return type;
  }

  InferRules rules_;
};

/// Whether values of this type stay as they are in the file.
bool is_plain(const Type& type) {
  switch (type.kind) {
    case Kind::real:
    case Kind::timestamp:
    case Kind::structure:
    case Kind::json:
      return false;
    case Kind::list:
      return is_plain(type.item());
    default:
      return true;
  }
}

Value conform_fields(const base::Dict& object, const Type& type) {
  base::Dict dict;
  for (const Field& field : type.fields) {
    const Value* cell = object.find(field.name.as_string());
    dict.set(field.name, cell == nullptr ? Value() : conform(*cell, field.type));
  }
  return dict;
}

}  // namespace

Type infer(const base::List& rows, InferRules rules) {
  Cells objects;
  objects.reserve(rows.size());
  for (const Value& row : rows) objects.push_back(&row);
  return Inference(rules).structure(objects);
}

std::optional<std::string> find_json(const Type& type) {
  if (type.kind == Kind::json) return "";
  for (const Field& field : type.fields) {
    const auto inside = find_json(field.type);
    if (!inside) continue;
    if (type.kind == Kind::list) return "[]" + *inside;
    const bool nested = !inside->empty() && inside->front() != '[';
    return field.name.as_string() + (nested ? "." : "") + *inside;
  }
  return std::nullopt;
}

void adopt_json(Type& type, const Type& known) {
  if (known.kind == Kind::json && type.kind != Kind::null) {
    type = known;
    return;
  }
  if (type.kind != known.kind) return;
  if (type.kind == Kind::list) return adopt_json(type.fields.front().type, known.item());
  for (Field& field : type.fields)
    if (const Field* match = known.find(field.name.as_string()))
      adopt_json(field.type, match->type);
}

Value conform(const Value& value, const Type& type) {
  if (value.is_none() || is_plain(type)) return value;
  switch (type.kind) {
    case Kind::real:
      return value.as_number();
    case Kind::timestamp:
      return *read_timestamp(value.as_string());
    case Kind::structure:
      return conform_fields(value.as_dict(), type);
    case Kind::json:
      return ujson::decoded(value);
    default:
      break;
  }
  base::List items;
  items.reserve(value.items().size());
  for (const Value& item : value.items()) items.push_back(conform(item, type.item()));
  return items;
}

}  // namespace tare::data
