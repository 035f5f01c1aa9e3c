#include "data/ujson.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdint>

#include "base/json.h"
#include "base/number.h"
#include "base/python.h"

namespace tare::data::ujson {
namespace {

using base::Value;

constexpr double kScale = 1e10;  // ten digits after the point
constexpr std::size_t kFractionDigits = 15;

/// Applies `change` to every real in a value.
template <class Change>
Value map_reals(const Value& value, const Change& change) {
  if (value.is_real()) return change(value.as_real());
  if (value.is_list()) {
    base::List items;
    items.reserve(value.items().size());
    for (const Value& item : value.items()) items.push_back(map_reals(item, change));
    return items;
  }
  if (value.is_dict()) {
    base::Dict dict;
    for (const auto& [key, item] : value.as_dict()) dict.set(key, map_reals(item, change));
    return dict;
  }
  return value;
}

/// NaN is None and an infinity stays; `change` sees the rest.
template <class Change>
Value finite(double number, const Change& change) {
  if (std::isnan(number)) return nullptr;
  return std::isinf(number) ? number : change(number);
}

/// A real of a file, whose digits are taken to be the shortest that give it.
double load_real(double number) {
  return read(base::python::repr(number));
}

/// The forms of a number that ujson_loads reads and JSON forbids: "-", "007", "1.", "-.5".
std::optional<Value> read_loose_number(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\n\r");
  if (first == std::string_view::npos) return std::nullopt;
  text = text.substr(first, text.find_last_not_of(" \t\n\r") + 1 - first);
  const std::string_view digits = text.substr(text[0] == '-' ? 1 : 0);
  const bool plain = digits.find_first_not_of("0123456789.") == std::string_view::npos;
  if (!plain || text[0] == '.' || digits.find('.') != digits.rfind('.')) return std::nullopt;
  if (digits.empty()) return Value(0);
  if (digits.find('.') != std::string_view::npos) return Value(read(text));
  if (const auto integer = base::read_integer(text)) return Value(*integer);
  return std::nullopt;
}

/// ujson_loads of a whole text, or nothing where it raises.
std::optional<Value> load(std::string_view text) {
  if (auto number = read_loose_number(text)) return number;
  auto parsed = base::json::parse(text);
  if (!parsed) return std::nullopt;
  // An integer that 64 bits cannot hold: base reads a real, ujson raises.
  if (parsed->is_real() && text.find_first_of(".eENI") == std::string_view::npos)
    return std::nullopt;
  return loaded(*parsed);
}

/// The power of ten of an exponent as "-05"; ujson takes none as 0.
double read_exponent(std::string_view text) {
  return static_cast<double>(base::read_integer(text).value_or(0));
}

}  // namespace

std::string write(double number) {
  const double size = std::fabs(number);
  if (size > 1e16 - 1 || (size != 0 && size < 1e-15)) return fmt::format("{:.10g}", number);
  auto whole = static_cast<std::uint64_t>(size);
  const double scaled = (size - static_cast<double>(whole)) * kScale;
  auto fraction = static_cast<std::uint64_t>(scaled);
  const double rest = scaled - static_cast<double>(fraction);
  if (rest > 0.5 || (rest == 0.5 && (fraction == 0 || fraction % 2 == 1))) ++fraction;
  if (static_cast<double>(fraction) >= kScale) {
    fraction = 0;
    ++whole;
  }
  std::string digits = fmt::format("{:010}", fraction);
  digits.resize(std::max<std::size_t>(digits.find_last_not_of('0') + 1, 1));
  return fmt::format("{}{}.{}", number < 0 ? "-" : "", whole, digits);
}

double read(std::string_view number) {
  const bool negative = !number.empty() && number[0] == '-';
  if (negative) number.remove_prefix(1);
  const std::size_t mark = number.find_first_of("eE");
  std::string_view mantissa = number.substr(0, mark);
  const std::size_t point = mantissa.find('.');
  double whole = 0;
  for (const char c : mantissa.substr(0, point)) whole = whole * 10 + (c - '0');
  double fraction = 0;
  if (point != std::string_view::npos) {
    const std::string_view digits = mantissa.substr(point + 1, kFractionDigits);
    for (const char c : digits) fraction = fraction * 10 + (c - '0');
    fraction *= *base::read_real(fmt::format("1e-{}", digits.size()));
  }
  double value = negative ? -(whole + fraction) : whole + fraction;
  if (mark != std::string_view::npos)
    value *= std::pow(10.0, read_exponent(number.substr(mark + 1)));
  return value;
}

Value loaded(const Value& value) {
  return map_reals(value, [](double number) { return finite(number, load_real); });
}

Value rounded(const Value& value) {
  return map_reals(value, [](double number) {
    return finite(number, [](double each) { return *base::read_real(write(load_real(each))); });
  });
}

Value decoded(const Value& value) {
  if (value.is_string()) return load(value.as_string()).value_or(value);
  return map_reals(value, [](double number) {
    return finite(number, [](double each) { return each == 0 ? each : read(write(each)); });
  });
}

}  // namespace tare::data::ujson
