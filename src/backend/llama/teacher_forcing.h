#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "backend/llama/model.h"
#include "base/result.h"
#include "core/manner.h"
#include "core/request.h"

namespace tare::backend::llama {

/// What a model file is, in llama.cpp's words.
struct ModelFacts {
  std::string description;       ///< "llama 135M Q8_0"
  std::size_t vocabulary = 0;    ///< logits in a row
  std::size_t context = 0;       ///< tokens that the model was trained on at a time; 0: not said
  std::size_t weight_bytes = 0;  ///< of all tensors
};

/// Computes the logits of every position of given tokens, in one manner that is exactly what was
/// asked for: nothing is chosen by llama.cpp, by the machine or by what was computed before. Scores
/// of `tare run` come from Engine, whose shapes are pinned; this shows what other shapes do.
class TeacherForcing {
 public:
  /// Called for each position in order; an error ends the work.
  using RowSink = std::function<base::Status(std::span<const float> logits)>;

  /// Loads the file on the manner's tier, which no other may follow in this process.
  static base::Result<TeacherForcing> open(const std::filesystem::path& path,
                                           const core::Manner& manner);

  [[nodiscard]] ModelFacts facts() const;
  /// The tokens of a text, without what the tokenizer adds.
  [[nodiscard]] std::vector<core::Token> encode(std::string_view text) const;
  /// The token that this model wants at the beginning of every text, if it wants one.
  [[nodiscard]] std::optional<core::Token> beginning() const;

  /// Computes a window in an empty KV cache. With several sequences the others hold the same tokens
  /// from other beginnings on.
  [[nodiscard]] base::Status run(std::span<const core::Token> window, const RowSink& sink) const;

 private:
  TeacherForcing(ModelPtr model, core::Manner manner)
      : model_(std::move(model)), manner_(std::move(manner)) {}
  /// Computes tokens [begin, end) of all sequences in one call.
  [[nodiscard]] base::Status decode(llama_context& context, std::span<const core::Token> window,
                                    std::size_t begin, std::size_t end, const RowSink& sink) const;

  ModelPtr model_;
  core::Manner manner_;
};

}  // namespace tare::backend::llama
