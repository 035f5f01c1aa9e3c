#pragma once

#include <filesystem>

#include "backend/llama/chat_source.h"
#include "base/result.h"

namespace tare::cli {

/// What a model folder of Hugging Face's layout says about chat: chat_template.jinja, else
/// chat_template in tokenizer_config.json, and the special tokens there. Errors: a tokenizer_config
/// that is no JSON.
base::Result<backend::llama::ChatSource> read_folder_chat(const std::filesystem::path& folder);

}  // namespace tare::cli
