#include "backend/llama/tier_memory.h"

#include <string_view>

#include "backend/llama/library.h"
#include "backend/llama/machine.h"
#include "base/files.h"
#include "base/hash.h"
#include "base/json.h"

namespace tare::backend::llama {
namespace {

using base::Value;

std::string text_of(const Value& dict, std::string_view key) {
  const Value* value = dict.find(key);
  return value != nullptr && value->is_string() ? value->as_string() : "";
}

Value warnings_value(const std::vector<core::Warning>& warnings) {
  base::List list;
  for (const core::Warning& warning : warnings) {
    base::Dict entry;
    entry.set("code", warning.code);
    entry.set("text", warning.text);
    list.emplace_back(std::move(entry));
  }
  return list;
}

std::vector<core::Warning> warnings_of(const Value* list) {
  std::vector<core::Warning> warnings;
  if (list == nullptr || !list->is_list()) return warnings;
  for (const Value& entry : list->items())
    warnings.push_back({.code = text_of(entry, "code"), .text = text_of(entry, "text")});
  return warnings;
}

}  // namespace

TierMemory::TierMemory(std::filesystem::path folder) {
  if (folder.empty()) return;
  key_ = base::sha256_hex(machine_description() + library_folder().string());
  file_ = folder / "cpu-tier.json";
}

std::optional<TierChoice> TierMemory::recall() const {
  if (file_.empty()) return std::nullopt;
  const auto bytes = base::read_file(file_);
  if (!bytes) return std::nullopt;
  const auto value = base::json::parse(*bytes);
  if (!value || text_of(*value, "key") != key_) return std::nullopt;
  TierChoice choice;
  choice.tier.name = text_of(*value, "tier");
  choice.tier.library = text_of(*value, "library");
  choice.tier.score = 1;
  choice.warnings = warnings_of(value->find("warnings"));
  std::error_code fault;
  if (!std::filesystem::exists(choice.tier.library, fault)) return std::nullopt;
  return choice;
}

void TierMemory::remember(const TierChoice& choice) const {
  if (file_.empty()) return;
  base::Dict dict;
  dict.set("key", key_);
  dict.set("tier", choice.tier.name);
  dict.set("library", choice.tier.library.string());
  dict.set("warnings", warnings_value(choice.warnings));
  std::error_code ignored;
  std::filesystem::create_directories(file_.parent_path(), ignored);
  static_cast<void>(base::write_file(file_, base::json::dump(dict)));
}

}  // namespace tare::backend::llama
