#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "base/result.h"

namespace tare::backend::llama {

/// What a model file says about chat.
struct ChatSource {
  /// Jinja sources by name; "default" is the one that is used unless another one is named.
  std::map<std::string, std::string> templates;
  /// The texts of special tokens by transformers' names: bos_token, eos_token, unk_token,
  /// pad_token, sep_token. Those that the file does not have are missing.
  std::map<std::string, std::string> special_tokens;
};

/// Reads it from a GGUF file's metadata, without loading weights. Errors: those of a damaged file.
base::Result<ChatSource> read_chat_source(const std::filesystem::path& gguf);

}  // namespace tare::backend::llama
