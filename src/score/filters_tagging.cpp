#include <fmt/format.h>

#include "base/unicode.h"
#include "score/filter_regex.h"
#include "score/filter_table.h"

/// Filters for tagged words and named entities.
namespace tare::score {
namespace {

using base::Value;
using text::Regex;
using Documents = std::span<const core::Document>;

base::Result<Regex> tagged_word() {
  return Regex::compile(R"(\('([^']*)', '([^']*)'\))");
}

/// The tags of "[('word', 'TAG'), ...]".
base::Result<base::List> tags_of_text(const std::string& text) {
  TARE_TRY(const Regex pair, tagged_word());
  TARE_TRY(const auto matches, pair.find_all(text));
  base::List tags;
  for (const auto& match : matches) tags.emplace_back(match.groups[2].value_or(""));
  return tags;
}

base::Result<base::List> tags_of_pairs(const Value& pairs) {
  TARE_TRY(const base::List list, elements(pairs));
  base::List tags;
  for (const Value& pair : list) {
    TARE_TRY(const base::List both, elements(pair));
    if (both.size() != 2)
      return base::work_failed(
          fmt::format("found {} values, wanted a word and its tag", both.size()));
    tags.push_back(both[1]);
  }
  return tags;
}

base::Result<Responses> regex_pos(const Value& arguments, Responses responses, Documents) {
  Value fallback = argument(arguments, "fallback", nullptr);
  if (fallback.is_none()) fallback = base::List{"invalid"};
  return map_elements(std::move(responses), [&](const Value& answer) -> base::Result<Value> {
    TARE_TRY(base::List tags,
             answer.is_string() ? tags_of_text(answer.as_string()) : tags_of_pairs(answer));
    return tags.empty() ? fallback : Value(std::move(tags));
  });
}

/// lm-eval compiles regex_pattern and does not use it.
base::Status check_regex_pos(const Value& arguments) {
  const Value pattern = argument(arguments, "regex_pattern", "");
  if (!pattern.is_string())
    return base::input_error(
        fmt::format("regex_pattern: found {}, wanted a text", pattern.type_name()));
  TARE_CHECK(Regex::compile(pattern.as_string()));
  return {};
}

struct Label {
  std::string_view word, name;
};

/// In the order in which they are replaced.
constexpr std::array<Label, 15> kLabels = {{
    {"person", "PER"},
    {"location", "LOC"},
    {"organization", "ORG"},
    {"counties", "LOC"},
    {"places", "LOC"},
    {"people", "PER"},
    {"persons", "PER"},
    {"company", "ORG"},
    {"country", "LOC"},
    {"continent", "LOC"},
    {"time", "DATE"},
    {"date", "DATE"},
    {"per", "PER"},
    {"loc", "LOC"},
    {"org", "ORG"},
}};

void replace_all(std::string& text, std::string_view old, std::string_view with) {
  for (std::size_t at = text.find(old); at != std::string::npos;
       at = text.find(old, at + with.size()))
    text.replace(at, old.size(), with);
}

/// Gives labels their short names and separates entities by single $ signs.
base::Result<std::string> short_labels(std::string text) {
  for (const Label& label : kLabels) {
    TARE_TRY(const Regex regex, Regex::compile(fmt::format("\\b{}\\s*:", label.word)));
    TARE_TRY(text, regex.sub(text, fmt::format("{}:", label.name)));
  }
  replace_all(text, "$$", "$");
  while (text.ends_with('$')) text.pop_back();
  return text;
}

void add_entities(std::vector<std::string>& entities, const std::string& label,
                  std::string_view values) {
  while (true) {
    const std::size_t comma = values.find(',');
    const std::string entity(base::unicode::strip(values.substr(0, comma)));
    if (base::unicode::lower(entity) != "none")
      entities.push_back(fmt::format("{}: {}", base::unicode::lower(label), entity));
    if (comma == std::string_view::npos) return;
    values.remove_prefix(comma + 1);
  }
}

/// "label: value $ label: value".
base::Result<std::string> named_entities(std::string text) {
  replace_all(text, "\n", "$");
  TARE_TRY(const Regex labelled, Regex::compile(R"(\b(PER|LOC|ORG|DATE):\s*([^$]+))"));
  TARE_TRY(const auto matches, labelled.find_all(base::unicode::strip(text)));
  std::vector<std::string> entities;
  for (const auto& match : matches) add_entities(entities, *match.groups[1], *match.groups[2]);
  return fmt::format("{}", fmt::join(entities, " $ "));
}

base::Result<Responses> format_span(const Value&, Responses responses, Documents) {
  return map_elements(std::move(responses), [](const Value& answer) -> base::Result<Value> {
    if (!answer.is_string())
      return base::work_failed(fmt::format("an answer is {}, wanted a text", answer.type_name()));
    TARE_TRY(std::string text, short_labels(base::unicode::lower(answer.as_string())));
    TARE_TRY(text, named_entities(std::move(text)));
    return Value(std::move(text));
  });
}

constexpr std::array<Filter, 2> kFilters = {{
    {"regex_pos", regex_pos, check_regex_pos, {"regex_pattern", "group_select", "fallback"}},
    {"format_span", format_span},
}};

}  // namespace

std::span<const Filter> tagging_filters() {
  return kFilters;
}

}  // namespace tare::score
