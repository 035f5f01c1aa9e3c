#include "cli/command_words.h"

#include <algorithm>
#include <array>
#include <utility>

#include "cli/parse.h"

namespace tare::cli {
namespace {

constexpr std::array<std::string_view, 3> kOutput{"--output", "--output-path", "-o"};

/// The value stands in the same word: "--output=DIR", "-oDIR".
bool holds_value(std::string_view word, std::string_view name) {
  if (!word.starts_with(name) || word.size() == name.size()) return false;
  return !name.starts_with("--") || word[name.size()] == '=';
}

}  // namespace

std::vector<std::string> without_option(std::vector<std::string> words,
                                        std::span<const std::string_view> names) {
  dash_flags(words);
  std::vector<std::string> kept;
  bool value = false;
  for (std::string& word : words) {
    if (std::exchange(value, false)) continue;
    value = std::ranges::count(names, word) != 0;
    const bool both =
        std::ranges::any_of(names, [&](std::string_view name) { return holds_value(word, name); });
    if (!value && !both) kept.push_back(std::move(word));
  }
  return kept;
}

std::vector<std::string> resuming_words(std::vector<std::string> words,
                                        const std::filesystem::path& folder) {
  words = without_option(std::move(words), kOutput);
  words.insert(words.begin(), {"tare", "run"});
  words.insert(words.end(), {"--output", folder.string()});
  return words;
}

}  // namespace tare::cli
