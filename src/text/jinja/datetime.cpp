#include "text/jinja/datetime.h"

#include <fmt/format.h>

#include <array>
#include <chrono>
#include <ctime>

#include "base/python.h"
#include "text/jinja/heap.h"
#include "text/jinja/methods.h"

namespace tare::text::jinja {
namespace {

using std::chrono::microseconds;

std::int64_t microsecond_of(base::DateTime time) {
  const std::int64_t rest = time.microseconds % 1'000'000;
  return rest < 0 ? rest + 1'000'000 : rest;
}

std::tm calendar(base::DateTime time) {
  using namespace std::chrono;
  const sys_time<microseconds> point{microseconds(time.microseconds)};
  const auto midnight = floor<days>(point);
  const year_month_day date{midnight};
  const hh_mm_ss clock{floor<seconds>(point - midnight)};
  std::tm tm{};
  tm.tm_year = int(date.year()) - 1900;
  tm.tm_mon = static_cast<int>(unsigned(date.month())) - 1;
  tm.tm_mday = static_cast<int>(unsigned(date.day()));
  tm.tm_hour = static_cast<int>(clock.hours().count());
  tm.tm_min = static_cast<int>(clock.minutes().count());
  tm.tm_sec = static_cast<int>(clock.seconds().count());
  tm.tm_wday = static_cast<int>(weekday{midnight}.c_encoding());
  tm.tm_yday = static_cast<int>((midnight - sys_days{date.year() / January / 1}).count());
  return tm;
}

/// `format` with %f, which C does not know, written out.
std::string with_microseconds(std::string_view format, std::int64_t microsecond) {
  std::string out;
  for (std::size_t i = 0; i < format.size(); ++i) {
    if (format[i] != '%' || i + 1 == format.size()) {
      out += format[i];
      continue;
    }
    ++i;
    out += format[i] == 'f' ? fmt::format("{:06}", microsecond) : std::string{'%', format[i]};
  }
  return out;
}

Value strftime(Call& call) {
  return call.heap.text(format_time(as<DateTime>(call.self)->time, call.string(0)));
}

Value isoformat(Call& call) {
  std::string text = base::python::str(base::Value(as<DateTime>(call.self)->time));
  text.replace(text.find(' '), 1, "T");
  return call.heap.text(std::move(text));
}

constexpr std::array<Builtin, 2> kMethods = {{
    {"strftime", strftime, 1, {"format"}},
    {"isoformat", isoformat},
}};

}  // namespace

Value datetime_attribute(const DateTime& object, std::string_view name) {
  const std::tm tm = calendar(object.time);
  const std::array<std::pair<std::string_view, std::int64_t>, 7> fields = {
      {{"year", tm.tm_year + 1900},
       {"month", tm.tm_mon + 1},
       {"day", tm.tm_mday},
       {"hour", tm.tm_hour},
       {"minute", tm.tm_min},
       {"second", tm.tm_sec},
       {"microsecond", microsecond_of(object.time)}}};
  for (const auto& [field, value] : fields)
    if (field == name) return value;
  return {};
}

std::string format_time(base::DateTime time, std::string_view format) {
  const std::tm tm = calendar(time);
  // The mark at the end tells an empty result from a buffer that is too small.
  const std::string marked = with_microseconds(format, microsecond_of(time)) + "|";
  std::string out(marked.size() * 4 + 256, '\0');
  out.resize(std::strftime(out.data(), out.size(), marked.c_str(), &tm));
  if (out.empty()) value_error("the time format gives too long a text");
  out.pop_back();
  return out;
}

std::span<const Builtin> datetime_methods() {
  return kMethods;
}

}  // namespace tare::text::jinja
