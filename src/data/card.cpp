#include "data/card.h"

#include <fmt/format.h>

#include "base/files.h"
#include "base/python.h"
#include "text/yaml.h"

namespace tare::data {
namespace fs = std::filesystem;
namespace {

using base::Result;
using base::Value;

/// The text between the first line "---" and the next one, behind one line end, so that line
/// numbers in it are those of the file; empty where there is no such block.
std::string front_matter(std::string_view text) {
  std::string block = "\n";
  bool inside = false;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    if (line == "---" && inside) return block;
    if (!inside && line != "---") return {};
    if (inside) block.append(line) += '\n';
    inside = true;
  }
  return {};
}

Result<std::vector<CardConfig>> read_configs(const Value& list, const std::string& file) {
  if (!list.is_list())
    return base::input_error(
        fmt::format("{}: configs: found {}, wanted a list", file, base::python::repr(list)));
  std::vector<CardConfig> configs;
  for (const Value& entry : list.items()) {
    const Value* name = entry.find("config_name");
    if (name == nullptr)
      return base::input_error(
          fmt::format("{}: configs: found an entry without config_name", file));
    const Value* chosen = entry.find("default");
    configs.push_back({base::python::str(*name), chosen != nullptr && chosen->truthy(), entry});
  }
  return configs;
}

}  // namespace

Result<Card> read_card(const fs::path& file) {
  std::error_code ignored;
  if (!fs::is_regular_file(file, ignored)) return Card{};
  TARE_TRY(const std::string text, base::read_file(file));
  const std::string block = front_matter(text);
  if (block.empty()) return Card{};
  TARE_TRY(const Value root, text::yaml::parse_any(block, file.string()));
  Card card;
  if (const Value* info = root.find("dataset_info")) card.dataset_info = *info;
  if (const Value* configs = root.find("configs"); configs != nullptr && configs->truthy()) {
    TARE_TRY(card.configs, read_configs(*configs, file.string()));
  }
  return card;
}

Value features_of(const Card& card, const std::string& config) {
  const auto named = [&](const Value& info) {
    const Value* name = info.find("config_name");
    return name == nullptr ? config == "default" : base::python::str(*name) == config;
  };
  const auto features = [](const Value& info) {
    const Value* list = info.find("features");
    return list == nullptr ? Value() : *list;
  };
  if (card.dataset_info.is_dict() && named(card.dataset_info)) return features(card.dataset_info);
  if (card.dataset_info.is_list())
    for (const Value& info : card.dataset_info.items())
      if (named(info)) return features(info);
  return {};
}

}  // namespace tare::data
