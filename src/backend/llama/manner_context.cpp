#include "backend/llama/manner_context.h"

#include <fmt/format.h>
#include <llama.h>

#include <exception>

#include "backend/llama/log_capture.h"

namespace tare::backend::llama {
namespace {

using core::Manner;

llama_context_params context_params(const Manner& manner, std::size_t tokens) {
  llama_context_params params = llama_context_default_params();
  params.n_ctx = static_cast<std::uint32_t>(tokens * manner.sequences);
  params.n_seq_max = static_cast<std::uint32_t>(manner.sequences);
  params.n_batch = static_cast<std::uint32_t>(manner.batch);
  params.n_ubatch = static_cast<std::uint32_t>(manner.micro_batch);
  params.n_threads = params.n_threads_batch = static_cast<std::int32_t>(manner.threads);
  params.flash_attn_type =
      manner.flash_attention ? LLAMA_FLASH_ATTN_TYPE_ENABLED : LLAMA_FLASH_ATTN_TYPE_DISABLED;
  params.type_k = params.type_v = manner.kv == core::KvType::f32 ? GGML_TYPE_F32 : GGML_TYPE_F16;
  params.kv_unified = manner.unified_kv;
  params.no_perf = true;
  return params;
}

}  // namespace

base::Result<ContextPtr> make_context(llama_model& model, const Manner& manner,
                                      std::size_t tokens) {
  const LogCapture log;
  ContextPtr context(llama_init_from_model(&model, context_params(manner, tokens)));
  if (context) return context;
  return base::work_failed(fmt::format("llama.cpp cannot make a context of {} times {} tokens: {}",
                                       manner.sequences, tokens, log.first_error()));
}

base::Result<Tier> find_tier(const std::string& name) {
  for (Tier& tier : list_tiers())
    if (tier.name == name && tier.score > 0) return std::move(tier);
  return base::usage_error(fmt::format("CPU tier {}: this CPU cannot run it", name));
}

std::string decode_fault(llama_context& context, const llama_batch& batch) try {
  const LogCapture log;
  const int code = llama_decode(&context, batch);
  llama_synchronize(&context);
  return code == 0 ? "" : fmt::format("code {} {}", code, log.first_error());
} catch (const std::exception& fault) {
  return fault.what();
}

}  // namespace tare::backend::llama
