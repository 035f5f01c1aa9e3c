#include "backend/llama/teacher_forcing.h"

#include <fmt/format.h>
#include <llama.h>

#include <algorithm>
#include <array>

#include "backend/llama/batch.h"
#include "backend/llama/gguf_check.h"
#include "backend/llama/manner_context.h"
#include "backend/llama/vocabulary.h"

namespace tare::backend::llama {
namespace {

using base::Status;
using base::work_failed;
using core::Manner;

/// The rows of tokens [begin, end), position by position, the sequences of each side by side.
std::vector<Row> rows_of(std::span<const core::Token> window, std::size_t sequences,
                         std::size_t begin, std::size_t end) {
  std::vector<Row> rows;
  for (std::size_t position = begin; position < end; ++position)
    for (std::size_t stream = 0; stream < sequences; ++stream) {
      const std::size_t shift = stream * window.size() / sequences;
      rows.push_back({window[(position + shift) % window.size()], position, stream});
    }
  return rows;
}

}  // namespace

base::Result<TeacherForcing> TeacherForcing::open(const std::filesystem::path& path,
                                                  const Manner& manner) {
  TARE_CHECK(check_gguf(path));
  TARE_TRY(const Tier tier, find_tier(manner.tier));
  TARE_CHECK(load_libraries(tier, false));
  TARE_TRY(ModelPtr model, load_model(path, 0, manner.repack));
  return TeacherForcing(std::move(model), manner);
}

ModelFacts TeacherForcing::facts() const {
  std::array<char, 128> text{};
  llama_model_desc(model_.get(), text.data(), text.size());
  return {.description = text.data(),
          .vocabulary = Vocabulary(*model_).size(),
          .context = static_cast<std::size_t>(std::max(0, llama_model_n_ctx_train(model_.get()))),
          .weight_bytes = static_cast<std::size_t>(llama_model_size(model_.get()))};
}

std::vector<core::Token> TeacherForcing::encode(std::string_view text) const {
  return Vocabulary(*model_).encode(text, false);
}

std::optional<core::Token> TeacherForcing::beginning() const {
  const llama_vocab* vocab = llama_model_get_vocab(model_.get());
  if (!llama_vocab_get_add_bos(vocab)) return std::nullopt;
  return llama_vocab_bos(vocab);
}

Status TeacherForcing::run(std::span<const core::Token> window, const RowSink& sink) const {
  TARE_TRY(const ContextPtr context, make_context(*model_, manner_, window.size()));
  const std::size_t most = std::max<std::size_t>(1, manner_.batch / manner_.sequences);
  for (std::size_t begin = 0, end = 0; begin < window.size(); begin = end) {
    end = std::min(begin + most, window.size());
    if (begin < manner_.prefix) end = std::min(end, manner_.prefix);
    TARE_CHECK(decode(*context, window, begin, end, sink));
  }
  return {};
}

Status TeacherForcing::decode(llama_context& context, std::span<const core::Token> window,
                              std::size_t begin, std::size_t end, const RowSink& sink) const {
  Batch batch;
  batch.fill(rows_of(window, manner_.sequences, begin, end), 0);
  if (const std::string fault = decode_fault(context, batch.view()); !fault.empty())
    return work_failed(
        fmt::format("llama.cpp: decoding tokens {} to {} failed: {}", begin, end, fault));
  const auto width =
      static_cast<std::size_t>(llama_vocab_n_tokens(llama_model_get_vocab(model_.get())));
  for (std::size_t position = begin; position < end; ++position) {
    const auto row = static_cast<std::int32_t>((position - begin) * manner_.sequences);
    TARE_CHECK(sink({llama_get_logits_ith(&context, row), width}));
  }
  return {};
}

}  // namespace tare::backend::llama
