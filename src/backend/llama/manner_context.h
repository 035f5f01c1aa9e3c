#pragma once

#include <cstddef>
#include <string>

#include "backend/llama/model.h"
#include "backend/llama/tiers.h"
#include "base/result.h"
#include "core/manner.h"

namespace tare::backend::llama {

/// A context in exactly this manner, for the manner's sequences of `tokens` tokens each. Error:
/// llama.cpp's, such as too little memory.
base::Result<ContextPtr> make_context(llama_model& model, const core::Manner& manner,
                                      std::size_t tokens);

/// Error: this CPU does not run it, or it is none.
base::Result<Tier> find_tier(const std::string& name);

}  // namespace tare::backend::llama
