#include "backend/own_defaults.h"

#include <map>

namespace tare::backend {

using core::GenerationParameters;
using core::GenerationSettings;

base::Value greedy_defaults() {
  base::Dict defaults;
  defaults.set("do_sample", false);
  defaults.set("max_new_tokens", GenerationSettings{}.max_tokens);
  return defaults;
}

GenerationSettings with_greedy_defaults(const GenerationSettings& settings) {
  if (settings.parameters == GenerationParameters::given) return settings;
  GenerationSettings filled;
  filled.until = settings.until;
  filled.think_end = settings.think_end;
  if (settings.parameters == GenerationParameters::given_length)
    filled.max_tokens = settings.max_tokens;
  return filled;
}

FilledItems::FilledItems(std::span<const GenerateItem> items) : items_(items.begin(), items.end()) {
  std::map<const GenerationSettings*, const GenerationSettings*> filled;
  for (GenerateItem& item : items_) {
    if (item.settings->parameters == GenerationParameters::given) continue;
    const GenerationSettings*& own = filled[item.settings];
    if (own == nullptr) own = &settings_.emplace_back(with_greedy_defaults(*item.settings));
    item.settings = own;
  }
}

}  // namespace tare::backend
