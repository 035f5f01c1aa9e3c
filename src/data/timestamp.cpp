#include "data/timestamp.h"

#include <fmt/format.h>

#include <chrono>

namespace tare::data {
namespace {

constexpr std::int64_t kMicro = 1'000'000;
constexpr std::int64_t kDay = 86'400;

/// Takes digits and marks off the front of a text.
class Cursor {
 public:
  explicit Cursor(std::string_view text) : rest_(text) {}

  std::optional<int> digits(std::size_t count) {
    if (rest_.size() < count) return std::nullopt;
    int number = 0;
    for (const char c : rest_.substr(0, count)) {
      if (c < '0' || c > '9') return std::nullopt;
      number = number * 10 + (c - '0');
    }
    rest_.remove_prefix(count);
    return number;
  }

  std::optional<int> digits_below(std::size_t count, int limit) {
    const auto number = digits(count);
    return number && *number < limit ? number : std::nullopt;
  }

  bool take(std::string_view any_of) {
    if (rest_.empty() || any_of.find(rest_.front()) == std::string_view::npos) return false;
    rest_.remove_prefix(1);
    return true;
  }

  [[nodiscard]] bool done() const { return rest_.empty(); }
  [[nodiscard]] std::string_view rest() const { return rest_; }

 private:
  std::string_view rest_;
};

std::optional<std::int64_t> read_days(Cursor& cursor) {
  const auto year = cursor.digits(4);
  if (!year || !cursor.take("-")) return std::nullopt;
  const auto month = cursor.digits(2);
  if (!month || !cursor.take("-")) return std::nullopt;
  const auto day = cursor.digits(2);
  // Python's datetime begins with the year 1.
  if (!day || *year < 1) return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year(*year),
                                         std::chrono::month(static_cast<unsigned>(*month)),
                                         std::chrono::day(static_cast<unsigned>(*day))};
  if (!date.ok()) return std::nullopt;
  return std::chrono::sys_days(date).time_since_epoch().count();
}

/// hh, hh:mm or hh:mm:ss in seconds.
std::optional<std::int64_t> read_clock(Cursor& cursor) {
  const auto hours = cursor.digits_below(2, 24);
  if (!hours) return std::nullopt;
  std::int64_t seconds = *hours * 3600;
  for (const int unit : {60, 1}) {
    if (!cursor.take(":")) break;
    const auto part = cursor.digits_below(2, 60);
    if (!part) return std::nullopt;
    seconds += *part * unit;
  }
  return seconds;
}

/// Z, ±hh, ±hhmm or ±hh:mm, or nothing, as seconds east of UTC.
std::optional<std::int64_t> read_zone(Cursor& cursor) {
  if (cursor.done()) return 0;
  if (cursor.take("Z")) return cursor.done() ? std::optional<std::int64_t>(0) : std::nullopt;
  const bool west = cursor.rest().front() == '-';
  if (!cursor.take("+-")) return std::nullopt;
  const auto hours = cursor.digits_below(2, 24);
  if (!hours) return std::nullopt;
  std::int64_t offset = *hours * 3600;
  if (!cursor.done()) {
    cursor.take(":");
    const auto minutes = cursor.digits_below(2, 60);
    if (!minutes || !cursor.done()) return std::nullopt;
    offset += *minutes * 60;
  }
  return west ? -offset : offset;
}

/// ".123456" in microseconds; no point is none.
std::optional<std::int64_t> read_fraction(Cursor& cursor) {
  if (!cursor.take(".")) return 0;
  std::int64_t micro = 0;
  std::int64_t unit = kMicro;
  while (const auto digit = cursor.digits(1)) {
    unit /= 10;
    if (unit == 0) return std::nullopt;
    micro += *digit * unit;
  }
  return unit == kMicro ? std::nullopt : std::optional<std::int64_t>(micro);
}

/// The date and, if there is one, the time of day after it.
std::optional<base::DateTime> read_start(Cursor& cursor) {
  const auto days = read_days(cursor);
  if (!days) return std::nullopt;
  if (cursor.done()) return base::DateTime{*days * kDay * kMicro};
  if (!cursor.take("T ")) return std::nullopt;
  const auto clock = read_clock(cursor);
  if (!clock) return std::nullopt;
  return base::DateTime{(*days * kDay + *clock) * kMicro};
}

}  // namespace

std::optional<base::DateTime> read_timestamp(std::string_view text) {
  Cursor cursor(text);
  const auto start = read_start(cursor);
  if (!start || cursor.done()) return start;
  const auto zone = read_zone(cursor);
  if (!zone) return std::nullopt;
  return base::DateTime{start->microseconds - *zone * kMicro};
}

std::optional<base::DateTime> read_fine_timestamp(std::string_view text) {
  Cursor cursor(text);
  const auto start = read_start(cursor);
  if (!start || cursor.done()) return start;
  const auto fraction = read_fraction(cursor);
  if (!fraction || !cursor.done()) return std::nullopt;
  return base::DateTime{start->microseconds + *fraction};
}

std::string write_date(std::int64_t days) {
  const std::chrono::year_month_day date{
      std::chrono::sys_days(std::chrono::days(static_cast<int>(days)))};
  return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()));
}

std::string write_timestamp(base::DateTime time) {
  const std::int64_t seconds =
      time.microseconds / kMicro - (time.microseconds % kMicro < 0 ? 1 : 0);
  const std::int64_t days = seconds / kDay - (seconds % kDay < 0 ? 1 : 0);
  const std::int64_t clock = seconds - days * kDay;
  return fmt::format("{} {:02}:{:02}:{:02}", write_date(days), clock / 3600, clock / 60 % 60,
                     clock % 60);
}

}  // namespace tare::data
