#include <fmt/format.h>

#include <algorithm>

#include "base/python.h"
#include "base/unicode.h"
#include "score/filter_regex.h"
#include "score/filter_table.h"

namespace tare::score {
namespace {

using base::Value;

constexpr std::string_view kDefaultPattern = R"(#### (\-?[0-9\.\,]+))";

Found found_in(const text::RegexMatch& match) {
  const std::size_t first = match.groups.size() == 1 ? 0 : 1;
  Found found;
  for (std::size_t i = first; i < match.groups.size(); ++i)
    found.texts.push_back(match.groups[i].value_or(""));
  found.several = found.texts.size() > 1;
  return found;
}

base::Result<Value> extract(const Extraction& extraction, const Value& answer) {
  const std::string text = answer.is_string() ? answer.as_string() : "";
  TARE_TRY(const auto found, chosen_match(extraction.regex, extraction.group_select, text));
  if (!found) return extraction.fallback;
  const std::string* chosen = found->several ? found->first_text() : &found->texts.front();
  if (chosen != nullptr) return Value(base::unicode::strip(*chosen));
  if (!extraction.fallback.is_string())
    return base::work_failed(
        fmt::format("fallback: found {}, wanted a text for a match whose "
                    "groups are all empty",
                    extraction.fallback.type_name()));
  return Value(base::unicode::strip(extraction.fallback.as_string()));
}

base::Result<Responses> regex(const Value& arguments, Responses responses,
                              std::span<const core::Document>) {
  TARE_TRY(const Extraction extraction, read_extraction(arguments));
  return map_elements(std::move(responses),
                      [&](const Value& answer) { return extract(extraction, answer); });
}

constexpr std::array<Filter, 1> kFilters = {{
    {"regex", regex, check_extraction, {"regex_pattern", "group_select", "fallback"}},
}};

}  // namespace

const std::string* Found::first_text() const {
  const auto found = std::find_if(texts.begin(), texts.end(),
                                  [](const std::string& text) { return !text.empty(); });
  return found == texts.end() ? nullptr : &*found;
}

base::Result<Extraction> read_extraction(const Value& arguments) {
  const Value pattern = argument(arguments, "regex_pattern", Value(kDefaultPattern));
  if (!pattern.is_string())
    return base::input_error(
        fmt::format("regex_pattern: found {}, wanted a text", pattern.type_name()));
  const Value select = argument(arguments, "group_select", Value(0));
  if (!select.is_int() && !select.is_bool())
    return base::input_error(
        fmt::format("group_select: found {}, wanted a whole number", base::python::repr(select)));
  TARE_TRY(text::Regex regex, text::Regex::compile(pattern.as_string()));
  return Extraction{std::move(regex),
                    select.is_int() ? select.as_int() : std::int64_t{select.as_bool()},
                    argument(arguments, "fallback", Value("[invalid]"))};
}

base::Status check_extraction(const Value& arguments) {
  TARE_CHECK(read_extraction(arguments));
  return {};
}

base::Result<std::optional<Found>> chosen_match(const text::Regex& regex, std::int64_t group_select,
                                                std::string_view text) {
  TARE_TRY(const auto matches, regex.find_all(text));
  if (matches.empty()) return std::nullopt;
  const auto count = static_cast<std::int64_t>(matches.size());
  const std::int64_t index = group_select < 0 ? group_select + count : group_select;
  if (index < 0 || index >= count)
    return base::work_failed(
        fmt::format("group_select: found {}, but the text has {} matches (counted from 0)",
                    group_select, count));
  return found_in(matches[static_cast<std::size_t>(index)]);
}

std::span<const Filter> regex_filters() {
  return kFilters;
}

}  // namespace tare::score
