#pragma once

#include <cstddef>
#include <string>

#include "backend/llama/model.h"
#include "backend/llama/tiers.h"
#include "base/result.h"
#include "core/manner.h"

struct llama_batch;
struct llama_context;

namespace tare::backend::llama {

/// A context in exactly this manner, for the manner's sequences of `tokens` tokens each. Error:
/// llama.cpp's, such as too little memory.
base::Result<ContextPtr> make_context(llama_model& model, const core::Manner& manner,
                                      std::size_t tokens);

/// Computes the batch to its end. Why it failed, "" if it did not.
std::string decode_fault(llama_context& context, const llama_batch& batch);

/// Error: this CPU does not run it, or it is none.
base::Result<Tier> find_tier(const std::string& name);

}  // namespace tare::backend::llama
