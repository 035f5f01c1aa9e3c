#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "backend/backend.h"
#include "backend/llama/capacity.h"

/// In which order prompts are continued, and in streams of which size. Pure.
namespace tare::backend::llama {

/// How many tokens an answer may have: max_tokens, or what the context still holds.
std::size_t answer_room(const GenerateItem& item, std::size_t context_length);

/// Groups that share a KV cache, those that need the largest one first, so that too little memory
/// shows at once; within a group no item needs less than half of it. The items of a group are in
/// lexicographic order of their tokens: neighbours share long prefixes.
std::vector<CapacityGroup> plan_generation(std::span<const GenerateItem> items, std::size_t tile,
                                           std::size_t context_length);

}  // namespace tare::backend::llama
