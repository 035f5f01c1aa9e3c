#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>

#include "base/result.h"
#include "core/tokenizer.h"

namespace tare::backend::llama {

/// The tokenizer of a model file whose weights are not read.
struct TokenizerFile {
  std::shared_ptr<const void> model;  ///< keeps what the tokenizer refers to
  std::unique_ptr<core::Tokenizer> tokenizer;
  std::size_t context_length = 0;  ///< what the file says the model knows; 0: unknown
};

/// Errors: the file (check_gguf), what llama.cpp says, a model without a vocabulary.
base::Result<TokenizerFile> open_tokenizer(const std::filesystem::path& path);

/// The bytes of one token, special or not; they may begin or end inside a character. "" for what is
/// no token of the file.
std::string piece_of(const TokenizerFile& file, core::Token token);

}  // namespace tare::backend::llama
