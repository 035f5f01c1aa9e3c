#include "backend/llama/tokenizer_file.h"

#include <fmt/format.h>
#include <llama.h>

#include <charconv>

#include "backend/llama/gguf_check.h"
#include "backend/llama/log_capture.h"
#include "backend/llama/model.h"
#include "backend/llama/vocabulary.h"

namespace tare::backend::llama {
namespace {

std::size_t context_length(const llama_model& model) {
  const std::string text =
      metadata(model, metadata(model, "general.architecture") + ".context_length");
  std::size_t length = 0;
  std::from_chars(text.data(), text.data() + text.size(), length);
  return length;
}

}  // namespace

base::Result<TokenizerFile> open_tokenizer(const std::filesystem::path& path) {
  TARE_CHECK(check_gguf(path));
  const LogCapture log;
  llama_model_params params = llama_model_default_params();
  params.vocab_only = true;
  std::shared_ptr<llama_model> model(llama_model_load_from_file(path.string().c_str(), params),
                                     FreeModel{});
  if (!model)
    return base::input_error(fmt::format("model {}: llama.cpp cannot read its vocabulary: {}",
                                         path.string(), log.first_error()));
  const llama_vocab* vocabulary = llama_model_get_vocab(model.get());
  if (llama_vocab_type(vocabulary) == LLAMA_VOCAB_TYPE_NONE)
    return base::input_error(fmt::format("model {}: has no vocabulary", path.string()));
  const std::size_t length = context_length(*model);
  auto tokenizer = std::make_unique<Vocabulary>(*model);
  return TokenizerFile{std::move(model), std::move(tokenizer), length};
}

std::string piece_of(const TokenizerFile& file, core::Token token) {
  const auto& vocabulary = static_cast<const Vocabulary&>(*file.tokenizer);
  if (token < 0 || static_cast<std::size_t>(token) >= vocabulary.size()) return "";
  return vocabulary.piece(token);
}

}  // namespace tare::backend::llama
