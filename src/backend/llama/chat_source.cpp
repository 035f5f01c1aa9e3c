#include "backend/llama/chat_source.h"

#include <array>
#include <optional>
#include <string_view>

#include "backend/llama/gguf_file.h"

namespace tare::backend::llama {
namespace {

constexpr std::string_view kTemplate = "tokenizer.chat_template";

struct SpecialKey {
  const char* name;
  const char* key;
};
/// "seperator" is how the format spells it.
constexpr std::array<SpecialKey, 5> kSpecials{{{"bos_token", "tokenizer.ggml.bos_token_id"},
                                               {"eos_token", "tokenizer.ggml.eos_token_id"},
                                               {"unk_token", "tokenizer.ggml.unknown_token_id"},
                                               {"pad_token", "tokenizer.ggml.padding_token_id"},
                                               {"sep_token", "tokenizer.ggml.seperator_token_id"}}};

/// "default" for the plain key, NAME for tokenizer.chat_template.NAME, nothing for other keys.
std::optional<std::string> template_name(std::string_view key) {
  if (!key.starts_with(kTemplate)) return std::nullopt;
  key.remove_prefix(kTemplate.size());
  if (key.empty()) return "default";
  if (key.size() < 2 || key[0] != '.') return std::nullopt;
  return std::string(key.substr(1));
}

std::map<std::string, std::string> templates_of(const gguf_context& gguf) {
  std::map<std::string, std::string> templates;
  for (std::int64_t key = 0; key < gguf_get_n_kv(&gguf); ++key) {
    const auto name = template_name(gguf_get_key(&gguf, key));
    if (!name || gguf_get_kv_type(&gguf, key) != GGUF_TYPE_STRING) continue;
    // The plain key wins over one that is named "default".
    if (*name == "default" && gguf_get_key(&gguf, key) != kTemplate) {
      templates.emplace(*name, gguf_get_val_str(&gguf, key));
    } else {
      templates.insert_or_assign(*name, gguf_get_val_str(&gguf, key));
    }
  }
  return templates;
}

std::optional<std::size_t> token_id(const gguf_context& gguf, const char* name) {
  const std::int64_t key = gguf_find_key(&gguf, name);
  if (key < 0 || gguf_get_kv_type(&gguf, key) != GGUF_TYPE_UINT32) return std::nullopt;
  return gguf_get_val_u32(&gguf, key);
}

std::map<std::string, std::string> special_tokens_of(const gguf_context& gguf) {
  std::map<std::string, std::string> texts;
  const std::int64_t list = gguf_find_key(&gguf, "tokenizer.ggml.tokens");
  if (list < 0 || gguf_get_kv_type(&gguf, list) != GGUF_TYPE_ARRAY ||
      gguf_get_arr_type(&gguf, list) != GGUF_TYPE_STRING)
    return texts;
  for (const SpecialKey& special : kSpecials) {
    const auto id = token_id(gguf, special.key);
    if (id && *id < gguf_get_arr_n(&gguf, list))
      texts[special.name] = gguf_get_arr_str(&gguf, list, *id);
  }
  return texts;
}

}  // namespace

base::Result<ChatSource> read_chat_source(const std::filesystem::path& gguf) {
  TARE_TRY(const Gguf file, read_gguf(gguf));
  return ChatSource{templates_of(*file), special_tokens_of(*file)};
}

}  // namespace tare::backend::llama
