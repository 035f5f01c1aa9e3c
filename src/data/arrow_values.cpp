#include "data/arrow_values.h"

#include <arrow/array.h>
#include <arrow/extension_type.h>
#include <arrow/scalar.h>
#include <arrow/type.h>
#include <arrow/util/float16.h>
#include <fmt/format.h>

#include <limits>

#include "base/python.h"
#include "data/timestamp.h"
#include "data/ujson.h"

namespace tare::data {
namespace {

using base::List;
using base::Result;
using base::Value;
using Kind = Type::Kind;

constexpr std::string_view kJsonExtension = "arrow.json";

bool is_utc(const std::string& zone) {
  return zone == "UTC" || zone == "Etc/UTC" || zone == "+00:00";
}

/// Whether a value is a string or becomes one.
bool is_text(arrow::Type::type id) {
  switch (id) {
    case arrow::Type::STRING:
    case arrow::Type::LARGE_STRING:
    case arrow::Type::STRING_VIEW:
    case arrow::Type::DATE32:
    case arrow::Type::DATE64:
    case arrow::Type::TIME32:
    case arrow::Type::TIME64:
      return true;
    default:
      return arrow::is_decimal(id);
  }
}

std::optional<Type> timestamp_type(const arrow::DataType& type) {
  const std::string& zone = static_cast<const arrow::TimestampType&>(type).timezone();
  if (zone.empty()) return Type{Kind::timestamp, {}, {}};
  if (!is_utc(zone)) return std::nullopt;
  return Type{Kind::string, {}, {}};
}

std::optional<Type> list_type(const arrow::DataType& type) {
  auto item = type_of_arrow(*type.field(0)->type());
  if (!item) return std::nullopt;
  return list_of(std::move(*item));
}

std::optional<Type> structure_type(const arrow::DataType& type) {
  Type structure{Kind::structure, {}, {}};
  for (const auto& field : type.fields()) {
    auto inside = type_of_arrow(*field->type());
    if (!inside) return std::nullopt;
    structure.fields.push_back({field->name(), std::move(*inside)});
  }
  return structure;
}

std::optional<Type> extension_type(const arrow::DataType& type) {
  const auto& extension = static_cast<const arrow::ExtensionType&>(type);
  if (extension.extension_name() == kJsonExtension) return Type{Kind::json, {}, {}};
  return type_of_arrow(*extension.storage_type());
}

/// Applies `read` to each element that is not null.
template <class Array, class Read>
List map(const arrow::Array& array, const Read& read) {
  const auto& typed = static_cast<const Array&>(array);
  List values(static_cast<std::size_t>(array.length()));
  for (std::int64_t i = 0; i < array.length(); ++i)
    if (!array.IsNull(i)) values[static_cast<std::size_t>(i)] = read(typed, i);
  return values;
}

template <class Array>
List signed_integers(const arrow::Array& array) {
  return map<Array>(array, [](const Array& typed, std::int64_t i) -> Value {
    return static_cast<std::int64_t>(typed.Value(i));
  });
}

Result<List> unsigned_integers(const arrow::Array& array) {
  constexpr auto kMost = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  const auto& typed = static_cast<const arrow::UInt64Array&>(array);
  for (std::int64_t i = 0; i < typed.length(); ++i)
    if (!typed.IsNull(i) && typed.Value(i) > kMost)
      return base::input_error(
          fmt::format("found the integer {}, wanted one below 2^63", typed.Value(i)));
  return signed_integers<arrow::UInt64Array>(array);
}

Result<List> integers(const arrow::Array& array) {
  switch (array.type_id()) {
    case arrow::Type::INT8:
      return signed_integers<arrow::Int8Array>(array);
    case arrow::Type::INT16:
      return signed_integers<arrow::Int16Array>(array);
    case arrow::Type::INT32:
      return signed_integers<arrow::Int32Array>(array);
    case arrow::Type::UINT8:
      return signed_integers<arrow::UInt8Array>(array);
    case arrow::Type::UINT16:
      return signed_integers<arrow::UInt16Array>(array);
    case arrow::Type::UINT32:
      return signed_integers<arrow::UInt32Array>(array);
    case arrow::Type::UINT64:
      return unsigned_integers(array);
    default:
      return signed_integers<arrow::Int64Array>(array);
  }
}

template <class Array>
Value wide(const Array& typed, std::int64_t i) {
  return static_cast<double>(typed.Value(i));
}

List reals(const arrow::Array& array) {
  if (array.type_id() == arrow::Type::FLOAT)
    return map<arrow::FloatArray>(array, wide<arrow::FloatArray>);
  if (array.type_id() == arrow::Type::DOUBLE)
    return map<arrow::DoubleArray>(array, wide<arrow::DoubleArray>);
  return map<arrow::HalfFloatArray>(
      array, [](const arrow::HalfFloatArray& typed, std::int64_t i) -> Value {
        return arrow::util::Float16::FromBits(typed.Value(i)).ToDouble();
      });
}

template <class Array>
List strings(const arrow::Array& array) {
  return map<Array>(array,
                    [](const Array& typed, std::int64_t i) -> Value { return typed.GetView(i); });
}

/// Ticks in a second.
std::int64_t ticks(arrow::TimeUnit::type unit) {
  switch (unit) {
    case arrow::TimeUnit::SECOND:
      return 1;
    case arrow::TimeUnit::MILLI:
      return 1'000;
    case arrow::TimeUnit::MICRO:
      return 1'000'000;
    case arrow::TimeUnit::NANO:
      break;
  }
  return 1'000'000'000;
}

Value timestamp(std::int64_t count, std::int64_t per_second, bool zoned) {
  const std::int64_t seconds = count / per_second - (count % per_second < 0 ? 1 : 0);
  const std::int64_t rest = count - seconds * per_second;
  const std::int64_t nano = rest * (1'000'000'000 / per_second);
  const base::DateTime time{seconds * 1'000'000 + nano / 1'000};
  if (nano % 1'000 == 0 && !zoned) return time;
  std::string text = base::python::str(time);
  if (nano % 1'000 != 0) text = fmt::format("{}.{:09}", text.substr(0, 19), nano);
  return text + (zoned ? "+00:00" : "");
}

List timestamps(const arrow::Array& array) {
  const auto& type = static_cast<const arrow::TimestampType&>(*array.type());
  const std::int64_t per_second = ticks(type.unit());
  const bool zoned = !type.timezone().empty();
  return map<arrow::TimestampArray>(
      array, [&](const arrow::TimestampArray& typed, std::int64_t i) -> Value {
        return timestamp(typed.Value(i), per_second, zoned);
      });
}

/// Python's str() of a time of day.
Value clock(std::int64_t count, std::int64_t per_second) {
  const std::int64_t seconds = count / per_second;
  const std::int64_t micro = count % per_second * 1'000'000 / per_second;
  std::string text =
      fmt::format("{:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60);
  return micro == 0 ? text : fmt::format("{}.{:06}", text, micro);
}

template <class Array>
List clocks(const arrow::Array& array) {
  const std::int64_t per_second = ticks(static_cast<const arrow::TimeType&>(*array.type()).unit());
  return map<Array>(array, [&](const Array& typed, std::int64_t i) -> Value {
    return clock(typed.Value(i), per_second);
  });
}

template <class Array>
List dates(const arrow::Array& array, std::int64_t ticks_a_day) {
  return map<Array>(array, [&](const Array& typed, std::int64_t i) -> Value {
    return write_date(static_cast<std::int64_t>(typed.Value(i)) / ticks_a_day);
  });
}

Result<List> decimals(const arrow::Array& array) {
  List values(static_cast<std::size_t>(array.length()));
  for (std::int64_t i = 0; i < array.length(); ++i) {
    if (array.IsNull(i)) continue;
    const auto scalar = array.GetScalar(i);
    if (!scalar.ok()) return base::input_error(scalar.status().ToString());
    values[static_cast<std::size_t>(i)] = (*scalar)->ToString();
  }
  return values;
}

Result<List> texts(const arrow::Array& array) {
  switch (array.type_id()) {
    case arrow::Type::STRING:
      return strings<arrow::StringArray>(array);
    case arrow::Type::LARGE_STRING:
      return strings<arrow::LargeStringArray>(array);
    case arrow::Type::STRING_VIEW:
      return strings<arrow::StringViewArray>(array);
    case arrow::Type::DATE32:
      return dates<arrow::Date32Array>(array, 1);
    case arrow::Type::DATE64:
      return dates<arrow::Date64Array>(array, 86'400'000);
    case arrow::Type::TIME32:
      return clocks<arrow::Time32Array>(array);
    case arrow::Type::TIME64:
      return clocks<arrow::Time64Array>(array);
    default:
      return decimals(array);
  }
}

template <class Array>
Result<List> lists(const arrow::Array& array) {
  TARE_TRY(const List items, values_of_arrow(*static_cast<const Array&>(array).values()));
  return map<Array>(array, [&](const Array& typed, std::int64_t i) -> Value {
    const auto begin = items.begin() + static_cast<std::ptrdiff_t>(typed.value_offset(i));
    return List(begin, begin + static_cast<std::ptrdiff_t>(typed.value_length(i)));
  });
}

/// Python's list of (key, value) tuples.
Result<List> maps(const arrow::Array& array) {
  const auto& typed = static_cast<const arrow::MapArray&>(array);
  TARE_TRY(const List keys, values_of_arrow(*typed.keys()));
  TARE_TRY(const List items, values_of_arrow(*typed.items()));
  return map<arrow::MapArray>(array, [&](const arrow::MapArray& entries, std::int64_t i) -> Value {
    List pairs;
    for (std::int64_t at = entries.value_offset(i); at < entries.value_offset(i + 1); ++at) {
      const auto place = static_cast<std::size_t>(at);
      pairs.push_back(Value::tuple({keys[place], items[place]}));
    }
    return pairs;
  });
}

Result<List> structures(const arrow::Array& array) {
  const auto& typed = static_cast<const arrow::StructArray&>(array);
  std::vector<base::Dict> dicts(static_cast<std::size_t>(array.length()));
  for (int f = 0; f < typed.num_fields(); ++f) {
    const Value name = typed.type()->field(f)->name();
    TARE_TRY(List cells, values_of_arrow(*typed.field(f)));
    for (std::size_t i = 0; i < dicts.size(); ++i) dicts[i].set(name, std::move(cells[i]));
  }
  return map<arrow::StructArray>(array, [&](const arrow::StructArray&, std::int64_t i) -> Value {
    return std::move(dicts[static_cast<std::size_t>(i)]);
  });
}

Result<List> dictionary(const arrow::Array& array) {
  const auto& encoded = static_cast<const arrow::DictionaryArray&>(array);
  TARE_TRY(const List words, values_of_arrow(*encoded.dictionary()));
  return map<arrow::DictionaryArray>(
      array, [&](const arrow::DictionaryArray& typed, std::int64_t i) -> Value {
        return words[static_cast<std::size_t>(typed.GetValueIndex(i))];
      });
}

Result<List> extension(const arrow::Array& array) {
  const auto& typed = static_cast<const arrow::ExtensionArray&>(array);
  TARE_TRY(List values, values_of_arrow(*typed.storage()));
  if (static_cast<const arrow::ExtensionType&>(*array.type()).extension_name() == kJsonExtension)
    for (Value& value : values) value = ujson::decoded(value);
  return values;
}

}  // namespace

std::optional<Type> type_of_arrow(const arrow::DataType& type) {
  const arrow::Type::type id = type.id();
  if (id == arrow::Type::NA) return Type{Kind::null, {}, {}};
  if (id == arrow::Type::BOOL) return Type{Kind::boolean, {}, {}};
  if (arrow::is_integer(id)) return Type{Kind::integer, {}, {}};
  if (arrow::is_floating(id)) return Type{Kind::real, {}, {}};
  if (is_text(id)) return Type{Kind::string, {}, {}};
  switch (id) {
    case arrow::Type::TIMESTAMP:
      return timestamp_type(type);
    case arrow::Type::LIST:
    case arrow::Type::LARGE_LIST:
    case arrow::Type::FIXED_SIZE_LIST:
    case arrow::Type::MAP:
      return list_type(type);
    case arrow::Type::STRUCT:
      return structure_type(type);
    case arrow::Type::DICTIONARY:
      return type_of_arrow(*static_cast<const arrow::DictionaryType&>(type).value_type());
    case arrow::Type::EXTENSION:
      return extension_type(type);
    default:
      return std::nullopt;
  }
}

Result<List> values_of_arrow(const arrow::Array& array) {
  const arrow::Type::type id = array.type_id();
  if (arrow::is_integer(id)) return integers(array);
  if (arrow::is_floating(id)) return reals(array);
  if (is_text(id)) return texts(array);
  switch (id) {
    case arrow::Type::BOOL:
      return map<arrow::BooleanArray>(
          array, [](const arrow::BooleanArray& typed, std::int64_t i) -> Value {
            return static_cast<bool>(typed.Value(i));
          });
    case arrow::Type::TIMESTAMP:
      return timestamps(array);
    case arrow::Type::LIST:
      return lists<arrow::ListArray>(array);
    case arrow::Type::LARGE_LIST:
      return lists<arrow::LargeListArray>(array);
    case arrow::Type::FIXED_SIZE_LIST:
      return lists<arrow::FixedSizeListArray>(array);
    case arrow::Type::MAP:
      return maps(array);
    case arrow::Type::STRUCT:
      return structures(array);
    case arrow::Type::DICTIONARY:
      return dictionary(array);
    case arrow::Type::EXTENSION:
      return extension(array);
    default:
      return List(static_cast<std::size_t>(array.length()));
  }
}

}  // namespace tare::data
