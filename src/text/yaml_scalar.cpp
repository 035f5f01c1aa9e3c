#include "text/yaml_scalar.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <limits>
#include <optional>

#include "base/number.h"
#include "base/python.h"
#include "base/unicode.h"

namespace tare::text::yaml {
namespace {

using base::Value;

constexpr std::string_view kDigits = "0123456789";

/// Reads a scalar from left to right; each take_ function consumes what it names or nothing.
class Reader {
 public:
  explicit Reader(std::string_view text) : rest_(text) {}

  [[nodiscard]] bool done() const { return rest_.empty(); }
  [[nodiscard]] std::string_view rest() const { return rest_; }

  bool take(std::string_view token) {
    if (!rest_.starts_with(token)) return false;
    rest_.remove_prefix(token.size());
    return true;
  }
  bool take_one_of(std::string_view chars) {
    if (rest_.empty() || chars.find(rest_[0]) == chars.npos) return false;
    rest_.remove_prefix(1);
    return true;
  }
  /// At most `most` characters of a set.
  std::string_view take_while(std::string_view chars, std::size_t most = std::string_view::npos) {
    const std::string_view run = rest_.substr(0, rest_.find_first_not_of(chars)).substr(0, most);
    rest_.remove_prefix(run.size());
    return run;
  }
  bool take_sign() { return take_one_of("+-"); }

 private:
  std::string_view rest_;
};

bool is_any_of(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), text) != words.end();
}

bool is_null(std::string_view text) {
  return is_any_of(text, {"", "~", "null", "Null", "NULL"});
}

bool is_boolean(std::string_view text) {
  return is_any_of(text, {"yes", "Yes", "YES", "no", "No", "NO", "true", "True", "TRUE", "false",
                          "False", "FALSE", "on", "On", "ON", "off", "Off", "OFF"});
}

/// One or more ":59" groups, the lower places of a number to base 60.
bool take_sexagesimal_places(Reader& reader) {
  bool any = false;
  while (reader.take(":")) {
    const std::string_view place = reader.take_while(kDigits, 2);
    if (place.empty() || (place.size() == 2 && place[0] > '5')) return false;
    any = true;
  }
  return any;
}

bool is_integer(std::string_view text) {
  Reader reader(text);
  reader.take_sign();
  if (reader.take("0b")) return !reader.take_while("01_").empty() && reader.done();
  if (reader.take("0x"))
    return !reader.take_while("0123456789abcdefABCDEF_").empty() && reader.done();
  if (reader.take("0")) {
    reader.take_while("01234567_");
    return reader.done();
  }
  if (!reader.take_one_of("123456789")) return false;
  reader.take_while("0123456789_");
  return reader.done() || (take_sexagesimal_places(reader) && reader.done());
}

/// [eE][-+] and digits, or nothing at all.
bool take_exponent(Reader& reader) {
  if (!reader.take_one_of("eE")) return true;
  return reader.take_sign() && !reader.take_while(kDigits).empty();
}

bool is_real(std::string_view text) {
  Reader reader(text);
  if (reader.take(".")) {
    if (is_any_of(reader.rest(), {"nan", "NaN", "NAN", "inf", "Inf", "INF"})) return true;
    if (!reader.take_one_of(kDigits)) return false;
    reader.take_while("0123456789_");
    return take_exponent(reader) && reader.done();
  }
  reader.take_sign();
  if (is_any_of(reader.rest(), {".inf", ".Inf", ".INF"})) return true;
  if (!reader.take_one_of(kDigits)) return false;
  reader.take_while("0123456789_");
  const bool sexagesimal = reader.rest().starts_with(':');
  if (sexagesimal && !take_sexagesimal_places(reader)) return false;
  if (!reader.take(".")) return false;
  reader.take_while("0123456789_");
  return (sexagesimal || take_exponent(reader)) && reader.done();
}

struct Timestamp {
  std::string_view year, month, day;
  std::string_view hour, minute, second, fraction;  ///< hour is empty for a date alone
  bool zone_negative = false;
  std::string_view zone_hour, zone_minute;  ///< empty: no zone, or Z
};

/// Exactly two digits.
bool take_pair(Reader& reader, std::string_view& pair) {
  pair = reader.take_while(kDigits, 2);
  return pair.size() == 2;
}
bool take_one_or_two(Reader& reader, std::string_view& digits) {
  digits = reader.take_while(kDigits, 2);
  return !digits.empty();
}

bool take_zone(Reader& reader, Timestamp& time) {
  reader.take_while(" \t");
  if (reader.take("Z")) return true;
  time.zone_negative = reader.rest().starts_with('-');
  if (!reader.take_sign() || !take_one_or_two(reader, time.zone_hour)) return false;
  return !reader.take(":") || take_pair(reader, time.zone_minute);
}

bool take_clock(Reader& reader, Timestamp& time) {
  if (!reader.take_one_of("Tt") && reader.take_while(" \t").empty()) return false;
  if (!take_one_or_two(reader, time.hour) || !reader.take(":") || !take_pair(reader, time.minute) ||
      !reader.take(":") || !take_pair(reader, time.second))
    return false;
  if (reader.take(".")) time.fraction = reader.take_while(kDigits);
  return reader.done() || (take_zone(reader, time) && reader.done());
}

std::optional<Timestamp> read_timestamp(std::string_view text) {
  Timestamp time;
  Reader reader(text);
  time.year = reader.take_while(kDigits, 4);
  if (time.year.size() != 4 || !reader.take("-") || !take_one_or_two(reader, time.month) ||
      !reader.take("-") || !take_one_or_two(reader, time.day))
    return std::nullopt;
  if (reader.done() && time.month.size() == 2 && time.day.size() == 2) return time;
  if (!take_clock(reader, time)) return std::nullopt;
  return time;
}

base::Failure unreadable(std::string_view text, std::string_view wanted) {
  return base::input_error(fmt::format("found {}, wanted {}", base::python::repr(text), wanted));
}

/// A scalar without underscores, its sign split off.
struct Numeral {
  bool negative = false;
  std::string digits;
};

Numeral numeral(std::string_view text) {
  Numeral result{text.starts_with('-'), std::string(text)};
  std::erase(result.digits, '_');
  if (result.digits.starts_with('-') || result.digits.starts_with('+')) result.digits.erase(0, 1);
  return result;
}

/// The places of "1:30:00" as one number.
template <class Number, class Read>
std::optional<Number> sexagesimal(std::string_view digits, Read read) {
  Number total = 0;
  while (true) {
    const std::size_t colon = digits.find(':');
    const auto place = read(digits.substr(0, colon));
    if (!place) return std::nullopt;
    total = total * 60 + *place;
    if (colon == digits.npos) return total;
    digits.remove_prefix(colon + 1);
  }
}

std::optional<std::int64_t> read_yaml_integer(const Numeral& n) {
  const std::string sign = n.negative ? "-" : "";
  if (n.digits.starts_with("0b")) return base::read_integer(sign + n.digits.substr(2), 2);
  if (n.digits.starts_with("0x")) return base::read_integer(sign + n.digits.substr(2), 16);
  if (n.digits.starts_with('0')) return base::read_integer(sign + n.digits, 8);
  if (n.digits.find(':') == n.digits.npos) return base::read_integer(sign + n.digits);
  const auto read = [](std::string_view place) { return base::read_real(place); };
  const auto total = sexagesimal<double>(n.digits, read);
  constexpr double kExact = 9007199254740992.0;
  if (!total || *total > kExact) return std::nullopt;
  return static_cast<std::int64_t>(n.negative ? -*total : *total);
}

std::optional<double> read_yaml_real(const Numeral& n) {
  const std::string text = base::unicode::lower(n.digits);
  if (text == ".nan") return std::numeric_limits<double>::quiet_NaN();
  const auto read = [](std::string_view place) { return base::read_real(place); };
  const auto value =
      text == ".inf" ? std::numeric_limits<double>::infinity() : sexagesimal<double>(text, read);
  if (!value) return std::nullopt;
  return n.negative ? -*value : *value;
}

base::Result<Value> boolean(std::string_view text) {
  const std::string word = base::unicode::lower(text);
  if (is_any_of(word, {"yes", "true", "on"})) return Value(true);
  if (is_any_of(word, {"no", "false", "off"})) return Value(false);
  return unreadable(text, "a boolean (true or false)");
}

int to_int(std::string_view digits) {
  return static_cast<int>(base::read_integer(digits).value_or(0));
}

std::int64_t fraction_microseconds(std::string_view fraction) {
  std::string six(fraction.substr(0, 6));
  six.resize(6, '0');
  return to_int(six);
}

base::Result<Value> timestamp(std::string_view text) {
  using namespace std::chrono;
  const auto parts = read_timestamp(text);
  if (!parts) return unreadable(text, "a timestamp (2001-12-31 or 2001-12-31 23:59:59)");
  const year_month_day date{year(to_int(parts->year)), month(unsigned(to_int(parts->month))),
                            day(unsigned(to_int(parts->day)))};
  const bool clock_ok =
      to_int(parts->hour) < 24 && to_int(parts->minute) < 60 && to_int(parts->second) < 60;
  if (!date.ok() || !clock_ok) return unreadable(text, "a date that exists");
  if (parts->hour.empty()) return Value(text);
  const int zone_sign = parts->zone_negative ? -1 : 1;
  const auto zone = hours(to_int(parts->zone_hour)) + minutes(to_int(parts->zone_minute));
  const auto clock = hours(to_int(parts->hour)) + minutes(to_int(parts->minute)) +
                     seconds(to_int(parts->second)) +
                     microseconds(fraction_microseconds(parts->fraction));
  const auto since_epoch = sys_days(date).time_since_epoch() + clock - zone_sign * zone;
  return Value(base::DateTime{duration_cast<microseconds>(since_epoch).count()});
}

}  // namespace

ScalarType implicit_type(std::string_view text) {
  if (is_null(text)) return ScalarType::null;
  if (is_boolean(text)) return ScalarType::boolean;
  if (is_integer(text)) return ScalarType::integer;
  if (is_real(text)) return ScalarType::real;
  if (read_timestamp(text)) return ScalarType::timestamp;
  return ScalarType::string;
}

base::Result<Value> construct(ScalarType type, std::string_view text) {
  switch (type) {
    case ScalarType::null:
      return Value();
    case ScalarType::boolean:
      return boolean(text);
    case ScalarType::integer:
      if (const auto integer = read_yaml_integer(numeral(text))) return Value(*integer);
      return unreadable(text, "an integer of 64 bits");
    case ScalarType::real:
      if (const auto real = read_yaml_real(numeral(text))) return Value(*real);
      return unreadable(text, "a number");
    case ScalarType::timestamp:
      return timestamp(text);
    case ScalarType::string:
      break;
  }
  return Value(text);
}

}  // namespace tare::text::yaml
