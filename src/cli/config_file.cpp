#include "cli/config_file.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "base/files.h"
#include "base/json.h"
#include "base/nearest.h"
#include "base/python.h"
#include "text/yaml.h"

namespace tare::cli {
namespace {

using base::Result;
using base::Value;
using Words = std::vector<std::string>;

std::string flag_of(std::string key) {
  std::ranges::replace(key, '_', '-');
  return "--" + key;
}

base::Error unknown_key(const std::string& place, const std::string& key, const CLI::App& app) {
  Words names;
  for (const CLI::Option* option : app.get_options())
    for (std::string name : option->get_lnames()) {
      std::ranges::replace(name, '-', '_');
      names.push_back(std::move(name));
    }
  const auto near = base::nearest_names(key, names);
  std::string text = fmt::format("{}: unknown key '{}'", place, key);
  text += near.empty() ? "; wanted the name of an option of " + app.get_name()
                       : fmt::format(", did you mean {}?", base::join_or(near));
  return {base::ErrorKind::usage, std::move(text)};
}

std::string word_of(const Value& value) {
  return value.is_dict() ? base::json::dump(value) : base::python::str(value);
}

/// False turns a flag off, which it is anyway. Of the options whose value may be left out only
/// --fewshot-as-multiturn has a default to be turned off.
Words words_of_bool(const std::string& flag, bool value) {
  if (value) return {flag};
  if (flag == "--fewshot-as-multiturn") return {flag + "=false"};
  return {};
}

Words words_of_list(const CLI::Option& option, const std::string& flag, const base::List& items) {
  Words words;
  for (const Value& item : items) words.push_back(word_of(item));
  if (words.empty()) return {};
  if (option.get_expected_max() <= 1)
    return {flag + "=" + fmt::format("{}", fmt::join(words, ","))};
  for (std::string& word : words) word.insert(0, flag + "=");
  return words;
}

Result<Words> words_of(const CLI::Option& option, const std::string& flag, const Value& value,
                       const std::string& place) {
  if (value.is_none()) return Words{};
  if (value.is_bool() && option.get_expected_min() == 0)
    return words_of_bool(flag, value.as_bool());
  if (option.get_expected_max() == 0)
    return base::usage_error(fmt::format("{}: {}: found {}, wanted true or false", place, flag,
                                         base::python::repr(value)));
  if (value.is_list()) return words_of_list(option, flag, value.items());
  const std::string word = word_of(value);
  return word.empty() ? Words{} : Words{flag + "=" + word};
}

}  // namespace

Result<Words> config_words(const std::filesystem::path& file, const CLI::App& app) {
  auto text = base::read_file(file);
  if (!text) return base::in_context("--config", text.error());
  TARE_TRY(const text::yaml::File config, text::yaml::parse_strictly(*text, file.string()));
  Words words;
  for (const auto& [key, value] : config.root.as_dict()) {
    const std::string name = base::python::str(key);
    const auto mark = config.marks.find(name);
    const std::string place = mark == config.marks.end()
                                  ? file.string()
                                  : fmt::format("{}:{}", file.string(), mark->second.line);
    const std::string flag = flag_of(name);
    const CLI::Option* option = app.get_option_no_throw(flag);
    if (option == nullptr) return tl::unexpected(unknown_key(place, name, app));
    if (flag == "--config" || flag == "--help")
      return base::usage_error(
          fmt::format("{}: '{}' is for the command line alone; remove it here", place, name));
    if (option->count() > 0) continue;
    TARE_TRY(const Words more, words_of(*option, flag, value, place));
    words.insert(words.end(), more.begin(), more.end());
  }
  return words;
}

}  // namespace tare::cli
