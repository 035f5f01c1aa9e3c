#include "cli/lm_eval_models.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace tare::cli {
namespace {

/// Where the model is that a backend of lm-eval asks.
enum class Where { weights, service, here };

struct KnownModel {
  std::string_view name;
  Where where;
};

constexpr std::array kModels{
    KnownModel{"anthropic-chat", Where::service},
    KnownModel{"anthropic-chat-completions", Where::service},
    KnownModel{"anthropic-completions", Where::service},
    KnownModel{"azure-openai-chat-completions", Where::service},
    KnownModel{"dummy", Where::here},
    KnownModel{"ggml", Where::here},
    KnownModel{"gguf", Where::here},
    KnownModel{"habana", Where::weights},
    KnownModel{"hf", Where::weights},
    KnownModel{"hf-audiolm-qwen", Where::weights},
    KnownModel{"hf-auto", Where::weights},
    KnownModel{"hf-mistral3", Where::weights},
    KnownModel{"hf-multimodal", Where::weights},
    KnownModel{"huggingface", Where::weights},
    KnownModel{"ipex", Where::weights},
    KnownModel{"litellm", Where::service},
    KnownModel{"litellm-chat", Where::service},
    KnownModel{"litellm-chat-completions", Where::service},
    KnownModel{"local-chat-completions", Where::here},
    KnownModel{"local-completions", Where::here},
    KnownModel{"mamba_ssm", Where::weights},
    KnownModel{"megatron_lm", Where::weights},
    KnownModel{"nemo_lm", Where::weights},
    KnownModel{"neuronx", Where::weights},
    KnownModel{"onnxruntime", Where::weights},
    KnownModel{"onnxruntime-genai", Where::weights},
    KnownModel{"openai-chat-completions", Where::here},
    KnownModel{"openai-completions", Where::here},
    KnownModel{"openvino", Where::weights},
    KnownModel{"sglang", Where::weights},
    KnownModel{"sglang-generate", Where::service},
    KnownModel{"steered", Where::weights},
    KnownModel{"textsynth", Where::service},
    KnownModel{"trtllm", Where::weights},
    KnownModel{"vllm", Where::weights},
    KnownModel{"vllm-vlm", Where::weights},
    KnownModel{"watsonx_llm", Where::service},
    KnownModel{"winml", Where::weights},
};

std::string remedy(Where where, const std::string& weights) {
  if (where == Where::service)
    return "wanted openai:URL, if its server speaks OpenAI's interface, or gguf:PATH";
  if (weights.ends_with(".gguf")) return "wanted gguf:" + weights;
  return fmt::format(
      "wanted gguf:PATH with {} as a GGUF file: take a published one, or make it with llama.cpp's "
      "convert_hf_to_gguf.py (--outtype f32 keeps the numbers; tare quantize changes the format)",
      weights.empty() ? "the model" : weights);
}

}  // namespace

bool is_lm_eval_model(std::string_view name) {
  return std::ranges::find(kModels, name, &KnownModel::name) != kModels.end();
}

base::Error lm_eval_model_error(const std::string& name, const std::string& weights) {
  const auto* known = std::ranges::find(kModels, name, &KnownModel::name);
  const Where where = known == kModels.end() ? Where::weights : known->where;
  return {base::ErrorKind::usage, fmt::format("--model {}: this backend is not built in yet; {}",
                                              name, remedy(where, weights))};
}

std::vector<std::string> lm_eval_models() {
  std::vector<std::string> names;
  for (const KnownModel& model : kModels) names.emplace_back(model.name);
  return names;
}

}  // namespace tare::cli
