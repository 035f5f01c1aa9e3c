#pragma once

#include <span>
#include <stop_token>

#include "backend/backend.h"
#include "backend/llama/context.h"
#include "backend/llama/vocabulary.h"

namespace tare::backend::llama {

/// Streams whose rows are computed together while answers grow, one row each, always that many:
/// idle ones get padding. 8 and 16 rows belong to one shape class, fewer do not.
inline constexpr std::size_t kMostSlots = 16;
inline constexpr std::size_t kFewSlots = 8;
/// How many of them there are, next to at least one stream in which prompts are computed.
std::size_t slot_count(const Context& context);
/// The fewest streams with which a context can generate.
std::size_t least_streams(const Context& context);

/// Continues prompts. Prompts are computed as contexts are when scoring (prefix tree, tiles), in
/// streams of their own, then copied into a free slot; a slot is filled again when its answer ends.
/// Items were checked: not empty, shorter than `context_length`.
base::Status generate(Context& context, const Vocabulary& vocabulary, std::size_t context_length,
                      std::span<const GenerateItem> items, const Backend::GenerateSink& sink,
                      const std::stop_token& stop);

}  // namespace tare::backend::llama
