#include "floor/window_text.h"

#include <fmt/format.h>

#include "base/json.h"

namespace tare::floor {
namespace {

using base::Result;
using base::Value;

constexpr const char *kDivergence = "divergence", *kTruth = "log_p", *kSameTop = "same_top",
                     *kEqual = "equal", *kSha256 = "rows_sha256", *kSeconds = "seconds";

base::List numbers(const std::vector<double>& from) {
  return {from.begin(), from.end()};
}

/// "1011": a character a position.
std::string flags(const std::vector<bool>& from) {
  std::string text;
  for (const bool one : from) text += one ? '1' : '0';
  return text;
}

base::Failure damaged(const char* what) {
  return base::work_failed(fmt::format("a window's rows: '{}' is missing or damaged", what));
}

Result<std::vector<double>> read_numbers(const Value& value, const char* key) {
  const Value* list = value.find(key);
  if (list == nullptr || !list->is_list()) return damaged(key);
  std::vector<double> numbers;
  for (const Value& one : list->items()) {
    if (!one.is_number()) return damaged(key);
    numbers.push_back(one.as_number());
  }
  return numbers;
}

Result<std::vector<bool>> read_flags(const Value& value, const char* key, std::size_t count) {
  const Value* text = value.find(key);
  if (text == nullptr || !text->is_string() || text->as_string().size() != count)
    return damaged(key);
  std::vector<bool> flags;
  for (const char c : text->as_string()) flags.push_back(c == '1');
  return flags;
}

}  // namespace

Value window_value(const WindowResult& result) {
  base::Dict dict;
  dict.set(kDivergence, numbers(result.rows.divergence));
  dict.set(kTruth, numbers(result.rows.truth));
  dict.set(kSameTop, flags(result.rows.same_top));
  dict.set(kEqual, flags(result.rows.equal));
  dict.set(kSha256, result.sha256);
  dict.set(kSeconds, result.seconds);
  return dict;
}

Result<WindowResult> read_window(const Value& value) {
  WindowResult result;
  TARE_TRY(result.rows.divergence, read_numbers(value, kDivergence));
  TARE_TRY(result.rows.truth, read_numbers(value, kTruth));
  const std::size_t compared = result.rows.divergence.size();
  if (compared != 0 && compared != result.rows.truth.size()) return damaged(kDivergence);
  TARE_TRY(result.rows.same_top, read_flags(value, kSameTop, compared));
  TARE_TRY(result.rows.equal, read_flags(value, kEqual, compared));
  const Value *sha256 = value.find(kSha256), *seconds = value.find(kSeconds);
  if (sha256 == nullptr || !sha256->is_string()) return damaged(kSha256);
  if (seconds == nullptr || !seconds->is_number()) return damaged(kSeconds);
  result.sha256 = sha256->as_string();
  result.seconds = seconds->as_number();
  return result;
}

std::string window_text(const WindowResult& result) {
  return base::json::dump(window_value(result));
}

Result<WindowResult> parse_window(std::string_view text) {
  TARE_TRY(const Value value, base::json::parse(text));
  return read_window(value);
}

}  // namespace tare::floor
