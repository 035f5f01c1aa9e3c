#include "backend/llama/model.h"

#include <fmt/format.h>
#include <llama.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <mutex>
#include <vector>

#include "backend/llama/library.h"
#include "backend/llama/log_capture.h"

namespace tare::backend::llama {
namespace {

namespace fs = std::filesystem;
using base::input_error;

/// The libraries of this process; llama.cpp cannot unload one that has been used.
struct Loaded {
  std::mutex mutex;
  std::string tier;
  bool gpu = false;
};

Loaded& loaded() {
  static Loaded instance;
  return instance;
}

/// libggml-cuda.so and the like: whatever is neither a CPU tier nor the common part.
void load_gpu_libraries() {
  std::error_code fault;
  for (const auto& entry : fs::directory_iterator(library_folder(), fault)) {
    const std::string stem = entry.path().stem().string();
    const bool other = stem.starts_with("libggml-") && !stem.starts_with("libggml-cpu") &&
                       !stem.starts_with("libggml-base");
    if (other && entry.path().extension() == ".so")
      ggml_backend_load(entry.path().string().c_str());
  }
}

base::Status check_architecture(const fs::path& path, const llama_model& model) {
  const auto refuse = [&](std::string_view why) {
    return input_error(fmt::format("model {}: architecture {} {}; wanted a decoder model of text",
                                   path.string(), metadata(model, "general.architecture"), why));
  };
  if (llama_model_has_encoder(&model)) return refuse("has an encoder");
  if (llama_model_is_diffusion(&model)) return refuse("is a diffusion model");
  if (llama_vocab_type(llama_model_get_vocab(&model)) == LLAMA_VOCAB_TYPE_NONE)
    return refuse("has no vocabulary");
  return {};
}

}  // namespace

void FreeModel::operator()(llama_model* model) const {
  llama_model_free(model);
}

void FreeLlamaContext::operator()(llama_context* context) const {
  llama_free(context);
}

base::Status load_libraries(const Tier& tier, bool gpu) {
  Loaded& now = loaded();
  const std::scoped_lock lock(now.mutex);
  if (!now.tier.empty() && now.tier != tier.name)
    return base::usage_error(
        fmt::format("CPU tier {}: this process uses {} already; start another process for it",
                    tier.name, now.tier));
  const LogCapture log;
  if (now.tier.empty()) {
    llama_backend_init();
    if (ggml_backend_load(tier.library.string().c_str()) == nullptr)
      return base::work_failed(fmt::format("CPU tier {}: {} cannot be loaded: {}", tier.name,
                                           tier.library.string(), log.first_error()));
    now.tier = tier.name;
  }
  if (gpu && !now.gpu) load_gpu_libraries();
  now.gpu = now.gpu || gpu;
  return {};
}

namespace {

base::Result<ModelPtr> load(const fs::path& path, const llama_model_params& params) {
  if (params.n_gpu_layers > 0 && device_names() == "CPU")
    return base::usage_error(fmt::format(
        "gpu_layers={}: this build of llama.cpp has no GPU device; wanted 0, or a build with e.g. "
        "-DGGML_CUDA=ON",
        params.n_gpu_layers));
  const LogCapture log;
  ModelPtr model(llama_model_load_from_file(path.string().c_str(), params));
  if (!model)
    return input_error(
        fmt::format("model {}: llama.cpp cannot load it: {}", path.string(), log.first_error()));
  TARE_CHECK(check_architecture(path, *model));
  return model;
}

}  // namespace

base::Result<ModelPtr> load_model(const fs::path& path, int gpu_layers, bool repack) {
  llama_model_params params = llama_model_default_params();
  params.n_gpu_layers = gpu_layers;
  params.use_extra_bufts = repack;
  params.load_mode = LLAMA_LOAD_MODE_MMAP;
  return load(path, params);
}

base::Result<ModelPtr> load_outline(const fs::path& path, int gpu_layers) {
  llama_model_params params = llama_model_default_params();
  params.n_gpu_layers = gpu_layers;
  params.load_mode = LLAMA_LOAD_MODE_NONE;
  params.no_alloc = true;
  return load(path, params);
}

std::string metadata(const llama_model& model, const std::string& key) {
  std::array<char, 256> text{};
  const int length = llama_model_meta_val_str(&model, key.c_str(), text.data(), text.size());
  if (length < 0) return "";
  return {text.data(), std::min<std::size_t>(static_cast<std::size_t>(length), text.size() - 1)};
}

std::size_t kv_bytes_per_token(const llama_model& model, std::size_t value_bytes) {
  const std::string architecture = metadata(model, "general.architecture");
  const auto head_size = [&](const std::string& which) {
    const std::string text = metadata(model, architecture + ".attention." + which + "_length");
    int size = llama_model_n_embd(&model) / std::max(1, llama_model_n_head(&model));
    std::from_chars(text.data(), text.data() + text.size(), size);
    return static_cast<std::size_t>(size);
  };
  const auto heads = static_cast<std::size_t>(std::max(1, llama_model_n_head_kv(&model)));
  const auto layers = static_cast<std::size_t>(llama_model_n_layer(&model));
  return layers * heads * (head_size("key") + head_size("value")) * value_bytes;
}

std::string device_names() {
  std::string names;
  for (std::size_t i = 0; i < ggml_backend_dev_count(); ++i) {
    ggml_backend_dev_t device = ggml_backend_dev_get(i);
    if (ggml_backend_dev_type(device) == GGML_BACKEND_DEVICE_TYPE_CPU) continue;
    names += fmt::format("{}{} ({})", names.empty() ? "" : ", ", ggml_backend_dev_name(device),
                         ggml_backend_dev_description(device));
  }
  return names.empty() ? "CPU" : names;
}

}  // namespace tare::backend::llama
