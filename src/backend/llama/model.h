#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "backend/llama/tiers.h"
#include "base/result.h"

struct llama_model;
struct llama_context;

namespace tare::backend::llama {

struct FreeModel {
  void operator()(llama_model* model) const;
};
struct FreeLlamaContext {
  void operator()(llama_context* context) const;
};
using ModelPtr = std::unique_ptr<llama_model, FreeModel>;
using ContextPtr = std::unique_ptr<llama_context, FreeLlamaContext>;

/// Makes the tier's CPU library (and, for `gpu`, every GPU library that was built) known to
/// llama.cpp. A process can use one tier; asking for another one later is an error.
base::Status load_libraries(const Tier& tier, bool gpu);

/// Loads the weights, memory-mapped. Errors: what llama.cpp says, and models that give no
/// log-likelihoods of text (encoders, diffusion, no vocabulary). `repack`: weights are rearranged
/// for the tier's kernels, which takes memory beside the file.
base::Result<ModelPtr> load_model(const std::filesystem::path& path, int gpu_layers,
                                  bool repack = true);

/// The same without memory for the weights and for what is made on the model: to ask what would be
/// needed.
base::Result<ModelPtr> load_outline(const std::filesystem::path& path, int gpu_layers);

/// A metadata value as text, "" if the file has none.
std::string metadata(const llama_model& model, const std::string& key);

/// An estimate of the KV cache's bytes per token for one stream, with values of `value_bytes`.
std::size_t kv_bytes_per_token(const llama_model& model, std::size_t value_bytes);

/// The devices that layers may be put on, "CPU" when there is no other.
std::string device_names();

}  // namespace tare::backend::llama
