#include "backend/http/reading.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/json.h"

namespace tare::backend::http {
namespace {

using base::Value;

constexpr std::size_t kMostWords = 160;
/// Rounding may lift a probability of 1 a little.
constexpr double kRounding = 1e-4;

/// Where servers put their words: {"error": {"message": ..}}, {"error": ..}, {"message": ..},
/// {"detail": ..}.
std::string words_of(std::string_view body) {
  const auto parsed = base::json::parse(body);
  if (!parsed) return "";
  const Value* error = parsed->find("error");
  if (error != nullptr && error->is_dict()) error = error->find("message");
  for (const char* key : {"message", "detail"})
    if (error == nullptr || !error->is_string()) error = parsed->find(key);
  return error != nullptr && error->is_string() ? error->as_string() : "";
}

/// In one line, each run of digits as one '#', cut at a whole character.
std::string stable(std::string_view words) {
  std::string text;
  for (const char c : words) {
    const bool digit = c >= '0' && c <= '9';
    if (digit && text.ends_with('#')) continue;
    const auto byte = static_cast<unsigned char>(c);
    text += digit ? '#' : byte < ' ' || byte == 0x7f ? ' ' : c;
  }
  if (text.size() <= kMostWords) return text;
  std::size_t end = kMostWords;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
  return text.substr(0, end) + "...";
}

}  // namespace

Read<Value> parse_object(std::string_view body) {
  auto value = base::json::parse(body);
  if (!value) return no_answer("an answer that is no JSON");
  if (!value->is_dict()) return no_answer("an answer that is no JSON object");
  return std::move(*value);
}

std::string refusal(long status, std::string_view body) {
  const std::string words = stable(words_of(body));
  return words.empty() ? fmt::format("HTTP {}", status) : fmt::format("HTTP {}: {}", status, words);
}

Read<double> log_probability(const Value& value) {
  if (value.is_none()) return no_answer("a log-probability is null");
  if (!value.is_number()) return no_answer("a log-probability is no number");
  const double number = value.as_number();
  if (std::isnan(number)) return no_answer("a log-probability is NaN");
  if (std::isinf(number)) return no_answer("a log-probability is infinite");
  if (number > kRounding) return no_answer("a log-probability is positive");
  return number;
}

Read<double> checked_sum(std::span<const double> scored, std::span<const double> others) {
  const auto all_zero = [](std::span<const double> numbers) {
    return std::ranges::all_of(numbers, [](double number) { return number == 0; });
  };
  if (scored.size() + others.size() >= 2 && all_zero(scored) && all_zero(others))
    return no_answer("all log-probabilities are zero");
  return std::accumulate(scored.begin(), scored.end(), 0.0);
}

Read<void> check_prompt_tokens(std::optional<std::int64_t> told, std::optional<std::size_t> sent) {
  if (!told || !sent || *told == static_cast<std::int64_t>(*sent)) return {};
  if (*told < static_cast<std::int64_t>(*sent))
    return no_answer("the server cut the prompt: it read fewer tokens than were sent");
  return no_answer("the server read more prompt tokens than were sent");
}

std::size_t characters(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

}  // namespace tare::backend::http
