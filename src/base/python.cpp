#include "base/python.h"

#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <iterator>

#include "base/unicode.h"

namespace tare::base::python {
namespace {

void append_repr(std::string& out, const Value& value);

void append_escaped(std::string& out, char32_t c, char quote) {
  auto to = std::back_inserter(out);
  const auto code = static_cast<unsigned>(c);
  if (c == static_cast<unsigned char>(quote) || c == '\\')
    fmt::format_to(to, "\\{}", static_cast<char>(c));
  else if (c == '\t')
    out += "\\t";
  else if (c == '\n')
    out += "\\n";
  else if (c == '\r')
    out += "\\r";
  else if (unicode::is_printable(c))
    unicode::append(out, c);
  else if (code <= 0xFF)
    fmt::format_to(to, "\\x{:02x}", code);
  else if (code <= 0xFFFF)
    fmt::format_to(to, "\\u{:04x}", code);
  else
    fmt::format_to(to, "\\U{:08x}", code);
}

void append_repr(std::string& out, std::string_view text) {
  const bool has_single = text.find('\'') != std::string_view::npos;
  const bool has_double = text.find('"') != std::string_view::npos;
  const char quote = has_single && !has_double ? '"' : '\'';
  out += quote;
  for (std::size_t pos = 0; pos < text.size();)
    append_escaped(out, unicode::decode(text, pos), quote);
  out += quote;
}

void append_items(std::string& out, const Value& value) {
  const bool tuple = value.is_tuple();
  out += tuple ? '(' : '[';
  bool first = true;
  for (const Value& item : value.items()) {
    if (!first) out += ", ";
    append_repr(out, item);
    first = false;
  }
  if (tuple && value.items().size() == 1) out += ',';
  out += tuple ? ')' : ']';
}

void append_dict(std::string& out, const Dict& dict) {
  out += '{';
  bool first = true;
  for (const auto& [key, value] : dict) {
    if (!first) out += ", ";
    append_repr(out, key);
    out += ": ";
    append_repr(out, value);
    first = false;
  }
  out += '}';
}

struct Calendar {
  int year;
  unsigned month, day;
  std::int64_t hour, minute, second, microsecond;
};

Calendar calendar(DateTime time) {
  using namespace std::chrono;
  const sys_time<microseconds> point{microseconds(time.microseconds)};
  const auto midnight = floor<days>(point);
  const year_month_day date{midnight};
  const hh_mm_ss clock{point - midnight};
  return {int(date.year()),          unsigned(date.month()),  unsigned(date.day()),
          clock.hours().count(),     clock.minutes().count(), clock.seconds().count(),
          clock.subseconds().count()};
}

void append_repr(std::string& out, DateTime time) {
  const Calendar c = calendar(time);
  auto to = std::back_inserter(out);
  fmt::format_to(to, "datetime.datetime({}, {}, {}, {}, {}", c.year, c.month, c.day, c.hour,
                 c.minute);
  if (c.second != 0 || c.microsecond != 0) fmt::format_to(to, ", {}", c.second);
  if (c.microsecond != 0) fmt::format_to(to, ", {}", c.microsecond);
  out += ')';
}

std::string datetime_str(DateTime time) {
  const Calendar c = calendar(time);
  std::string out = fmt::format("{:04}-{:02}-{:02} {:02}:{:02}:{:02}", c.year, c.month, c.day,
                                c.hour, c.minute, c.second);
  if (c.microsecond != 0) out += fmt::format(".{:06}", c.microsecond);
  return out;
}

void append_repr(std::string& out, const Value& value) {
  switch (value.kind()) {
    case Value::Kind::none:
      out += "None";
      break;
    case Value::Kind::boolean:
      out += value.as_bool() ? "True" : "False";
      break;
    case Value::Kind::integer:
      out += std::to_string(value.as_int());
      break;
    case Value::Kind::real:
      out += repr_real(value.as_real());
      break;
    case Value::Kind::string:
      append_repr(out, std::string_view(value.as_string()));
      break;
    case Value::Kind::list:
    case Value::Kind::tuple:
      append_items(out, value);
      break;
    case Value::Kind::dict:
      append_dict(out, value.as_dict());
      break;
    case Value::Kind::datetime:
      append_repr(out, value.as_datetime());
      break;
  }
}

}  // namespace

std::string repr(const Value& value) {
  std::string out;
  append_repr(out, value);
  return out;
}

std::string repr_text(std::string_view text) {
  std::string out;
  append_repr(out, text);
  return out;
}

std::string repr_real(double number) {
  if (std::isnan(number)) return "nan";
  std::string out = fmt::format("{}", number);
  // fmt prints the shortest digits and switches to an exponent where CPython does, but it leaves
  // the ".0" of whole numbers away.
  if (out.find_first_not_of("-0123456789") == std::string::npos) out += ".0";
  return out;
}

std::string str(const Value& value) {
  if (value.is_string()) return value.as_string();
  if (value.is_datetime()) return datetime_str(value.as_datetime());
  return repr(value);
}

}  // namespace tare::base::python
