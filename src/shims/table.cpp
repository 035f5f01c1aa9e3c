#include "shims/table.h"

#include <fmt/format.h>

#include <array>
#include <optional>
#include <vector>

namespace tare::shims {
namespace {

using core::FunctionUse;

constexpr std::array<std::pair<std::string_view, FunctionUse>, 8> kUses = {{
    {"documents", FunctionUse::documents},
    {"field", FunctionUse::document_field},
    {"results", FunctionUse::results},
    {"metric", FunctionUse::metric},
    {"aggregation", FunctionUse::aggregation},
    {"filter", FunctionUse::filter},
    {"samples", FunctionUse::samples},
    {"custom_dataset", FunctionUse::custom_dataset},
}};

std::optional<FunctionUse> use_of(std::string_view name) {
  for (const auto& [known, use] : kUses)
    if (known == name) return use;
  return std::nullopt;
}

std::vector<std::string> words_of(std::string_view line) {
  std::vector<std::string> words;
  for (std::size_t at = 0; at < line.size();) {
    const std::size_t end = std::min(line.find(' ', at), line.size());
    if (end > at) words.emplace_back(line.substr(at, end - at));
    at = end + 1;
  }
  return words;
}

bool add_file(const std::vector<std::string>& words, Table& table, Table::File*& file) {
  file = &table.files[words[0]];
  for (std::size_t i = 1; i < words.size(); ++i) {
    const std::size_t equals = words[i].find('=');
    if (equals == std::string::npos) return false;
    file->imports[words[i].substr(0, equals)] = words[i].substr(equals + 1);
  }
  return true;
}

bool add_functions(const std::vector<std::string>& words, Table::File* file) {
  const auto use = use_of(words[0]);
  if (!use || file == nullptr) return false;
  for (std::size_t i = 1; i < words.size(); ++i) file->functions.emplace(*use, words[i]);
  return true;
}

}  // namespace

base::Result<Table> parse_table(std::string_view text) {
  Table table;
  Table::File* file = nullptr;
  int number = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = text.substr(at, end - at);
    at = end + 1;
    ++number;
    const auto words = words_of(line);
    if (words.empty() || line.starts_with('#')) continue;
    const bool good =
        line.starts_with(' ') ? add_functions(words, file) : add_file(words, table, file);
    if (!good)
      return base::input_error(fmt::format(
          "table of helper functions, line {}: '{}' is neither a file nor a use of functions",
          number, line));
  }
  return table;
}

std::string_view use_name(core::FunctionUse use) {
  for (const auto& [name, known] : kUses)
    if (known == use) return name;
  return "";
}

}  // namespace tare::shims
