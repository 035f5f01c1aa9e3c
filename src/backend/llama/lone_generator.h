#pragma once

#include <span>
#include <stop_token>

#include "backend/backend.h"
#include "backend/llama/context.h"
#include "backend/llama/vocabulary.h"

namespace tare::backend::llama {

/// Continues prompts one after the other, each from its first token on: for models whose state can
/// neither be cut nor copied. Nothing is padded, since such a state would take the padding in, so
/// that the shapes of an item's decodes depend on the item alone. Each item may have a token at
/// least.
base::Status generate_alone(Context& context, const Vocabulary& vocabulary,
                            std::size_t context_length, std::span<const GenerateItem> items,
                            const Backend::GenerateSink& sink, const std::stop_token& stop);

}  // namespace tare::backend::llama
