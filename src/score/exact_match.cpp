#include "score/exact_match.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "base/unicode.h"

namespace tare::score {
namespace {

using base::Value;

bool is_ascii_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_ascii_punctuation(char c) {
  return (c >= '!' && c <= '/') || (c >= ':' && c <= '@') || (c >= '[' && c <= '`') ||
         (c >= '{' && c <= '~');
}

void drop_trailing_nul(std::string& text) {
  while (!text.empty() && text.back() == '\0') text.pop_back();
}

/// At most so many code points.
std::string first_code_points(std::string_view text, std::size_t count) {
  std::size_t pos = 0;
  for (std::size_t i = 0; i < count && pos < text.size(); ++i) base::unicode::decode(text, pos);
  return std::string(text.substr(0, pos));
}

bool flag(const Value& arguments, std::string_view name) {
  const Value* found = arguments.find(name);
  return found != nullptr && found->truthy();
}

}  // namespace

base::Result<ExactMatch> ExactMatch::compile(const Value& arguments) {
  ExactMatch match;
  match.ignore_case_ = flag(arguments, "ignore_case");
  match.ignore_punctuation_ = flag(arguments, "ignore_punctuation");
  match.ignore_numbers_ = flag(arguments, "ignore_numbers");
  const Value* patterns = arguments.find("regexes_to_ignore");
  if (patterns == nullptr || patterns->is_none()) return match;
  match.plain_ = patterns->is_sequence() && patterns->items().empty() && !match.ignore_case_ &&
                 !match.ignore_punctuation_ && !match.ignore_numbers_;
  if (!patterns->is_sequence())
    return base::input_error(
        fmt::format("regexes_to_ignore: found {}, wanted a list of texts", patterns->type_name()));
  for (const Value& pattern : patterns->items()) {
    if (!pattern.is_string())
      return base::input_error(
          fmt::format("regexes_to_ignore: found {}, wanted a text", pattern.type_name()));
    auto regex = text::Regex::compile(pattern.as_string());
    if (!regex) return base::in_context("regexes_to_ignore", std::move(regex).error());
    match.removed_.push_back(std::move(*regex));
  }
  return match;
}

base::Result<bool> ExactMatch::equal(std::string_view prediction,
                                     std::string_view reference) const {
  if (plain_) return prediction == reference;
  TARE_TRY(const std::string left, normalised(prediction, 0));
  TARE_TRY(const std::string right, normalised(reference, 0));
  return left == right;
}

base::Result<double> ExactMatch::share(std::span<const std::string> predictions,
                                       std::string_view reference) const {
  if (plain_) return 0.0;
  std::size_t width = 0;
  for (const std::string& prediction : predictions)
    width = std::max(width, base::unicode::length(prediction));
  TARE_TRY(const std::string wanted, normalised(reference, 0));
  double equal = 0;
  for (const std::string& prediction : predictions) {
    TARE_TRY(const std::string text, normalised(prediction, width));
    equal += text == wanted ? 1 : 0;
  }
  return predictions.empty() ? std::numeric_limits<double>::quiet_NaN()
                             : equal / static_cast<double>(predictions.size());
}

base::Result<std::string> ExactMatch::normalised(std::string_view text, std::size_t width) const {
  std::string out(text);
  width = std::max(width, base::unicode::length(out));
  for (const text::Regex& regex : removed_) {
    TARE_TRY(out, regex.sub(out, ""));
    width = base::unicode::length(out);
    drop_trailing_nul(out);
  }
  drop_trailing_nul(out);
  if (ignore_case_) out = first_code_points(base::unicode::lower(out), width);
  if (ignore_punctuation_) std::erase_if(out, is_ascii_punctuation);
  if (ignore_numbers_) std::erase_if(out, is_ascii_digit);
  drop_trailing_nul(out);
  return out;
}

}  // namespace tare::score
