#include "cli/folder_chat.h"

#include <array>

#include "base/files.h"
#include "base/json.h"

namespace tare::cli {
namespace {

namespace fs = std::filesystem;
using backend::llama::ChatSource;
using base::Value;

constexpr std::array kTokens{"bos_token", "eos_token", "unk_token", "pad_token", "sep_token"};

/// A token's text stands alone or in a dict with its properties.
const Value* token_text(const Value& config, const char* name) {
  const Value* token = config.find(name);
  if (token != nullptr && token->is_dict()) token = token->find("content");
  return token != nullptr && token->is_string() ? token : nullptr;
}

/// One template, or a list of dicts with name and template.
void read_templates(const Value& config, ChatSource& source) {
  const Value* found = config.find("chat_template");
  if (found == nullptr) return;
  if (found->is_string()) source.templates["default"] = found->as_string();
  if (!found->is_list()) return;
  for (const Value& entry : found->items()) {
    const Value* name = entry.find("name");
    const Value* text = entry.find("template");
    if (name != nullptr && name->is_string() && text != nullptr && text->is_string())
      source.templates[name->as_string()] = text->as_string();
  }
}

}  // namespace

base::Result<ChatSource> read_folder_chat(const fs::path& folder) {
  ChatSource source;
  const fs::path file = folder / "tokenizer_config.json";
  std::error_code fault;
  if (fs::exists(file, fault)) {
    TARE_TRY(const std::string text, base::read_file(file));
    auto config = base::json::parse(text);
    if (!config) return base::in_context(file.string(), config.error());
    read_templates(*config, source);
    for (const char* name : kTokens)
      if (const Value* token = token_text(*config, name))
        source.special_tokens[name] = token->as_string();
  }
  const fs::path own = folder / "chat_template.jinja";
  if (fs::exists(own, fault)) {
    TARE_TRY(source.templates["default"], base::read_file(own));
  }
  return source;
}

}  // namespace tare::cli
