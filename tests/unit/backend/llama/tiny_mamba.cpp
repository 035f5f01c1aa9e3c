#include "tiny_mamba.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include "gguf_writer.h"

namespace tare::test {
namespace {

constexpr std::uint32_t kLayers = 2, kWidth = 32, kInner = 64, kState = 16, kRank = 2, kKernel = 4;
constexpr std::uint32_t kVocabulary = 3 + 256;

struct Tensor {
  std::string name;
  std::uint64_t row = 0, rows = 0;  ///< rows 0: a vector
  float mean = 0, spread = 0;
};

/// Spreads that keep the state and the logits in a range where every bit counts.
std::vector<Tensor> tensors() {
  std::vector<Tensor> list{{"token_embd.weight", kWidth, kVocabulary, 0, 1},
                           {"output_norm.weight", kWidth, 0, 1, 0.1F}};
  for (std::uint32_t layer = 0; layer < kLayers; ++layer) {
    const std::string block = fmt::format("blk.{}.", layer);
    list.push_back({block + "attn_norm.weight", kWidth, 0, 1, 0.1F});
    list.push_back({block + "ssm_in.weight", kWidth, 2 * kInner, 0, 0.2F});
    list.push_back({block + "ssm_conv1d.weight", kKernel, kInner, 0, 0.5F});
    list.push_back({block + "ssm_conv1d.bias", kInner, 0, 0, 0.1F});
    list.push_back({block + "ssm_x.weight", kInner, kRank + 2 * kState, 0, 0.2F});
    list.push_back({block + "ssm_dt.weight", kRank, kInner, 0, 0.5F});
    list.push_back({block + "ssm_dt.bias", kInner, 0, -2, 0.5F});
    list.push_back({block + "ssm_a", kState, kInner, -2, 0.5F});
    list.push_back({block + "ssm_d", kInner, 0, 1, 0.1F});
    list.push_back({block + "ssm_out.weight", kInner, kWidth, 0, 0.2F});
  }
  return list;
}

std::uint64_t count(const Tensor& tensor) {
  return tensor.row * (tensor.rows == 0 ? 1 : tensor.rows);
}

void put_settings(GgufWriter& file) {
  file.text_entry("general.architecture", "mamba")
      .u32_entry("mamba.context_length", 2048)
      .u32_entry("mamba.embedding_length", kWidth)
      .u32_entry("mamba.feed_forward_length", 0)
      .u32_entry("mamba.attention.head_count", 0)
      .u32_entry("mamba.block_count", kLayers)
      .u32_entry("mamba.ssm.conv_kernel", kKernel)
      .u32_entry("mamba.ssm.inner_size", kInner)
      .u32_entry("mamba.ssm.state_size", kState)
      .u32_entry("mamba.ssm.time_step_rank", kRank)
      .f32_entry("mamba.attention.layer_norm_rms_epsilon", 1e-5F);
}

void put_vocabulary(GgufWriter& file) {
  constexpr std::int32_t kUnknown = 2, kControl = 3, kByte = 6;
  std::vector<std::string> tokens{"<unk>", "<s>", "</s>"};
  std::vector<std::int32_t> types{kUnknown, kControl, kControl};
  for (int byte = 0; byte < 256; ++byte) tokens.push_back(fmt::format("<0x{:02X}>", byte));
  types.resize(tokens.size(), kByte);
  file.text_entry("tokenizer.ggml.model", "llama")
      .texts_entry("tokenizer.ggml.tokens", tokens)
      .floats_entry("tokenizer.ggml.scores", std::vector<float>(tokens.size()))
      .i32s_entry("tokenizer.ggml.token_type", types);
}

/// The same on every machine: std::normal_distribution is not.
std::vector<float> draw(std::mt19937& random, const Tensor& tensor) {
  std::vector<float> values(count(tensor));
  for (float& value : values) {
    const double unit = static_cast<double>(random()) / 4294967296.0 - 0.5;
    value = tensor.mean + tensor.spread * static_cast<float>(std::sqrt(12.0) * unit);
  }
  return values;
}

}  // namespace

std::string tiny_mamba() {
  constexpr std::uint64_t kEntries = 11 + 4;
  GgufWriter file;
  file.header(3, tensors().size(), kEntries);
  put_settings(file);
  put_vocabulary(file);
  std::uint64_t offset = 0;
  for (const Tensor& tensor : tensors()) {
    if (tensor.rows == 0) {
      file.tensor(tensor.name, tensor.row, offset);
    } else {
      file.matrix(tensor.name, tensor.row, tensor.rows, offset);
    }
    offset += (count(tensor) * sizeof(float) + 31) / 32 * 32;
  }
  std::mt19937 random(17);
  for (const Tensor& tensor : tensors()) file.data(draw(random, tensor));
  return file.bytes();
}

}  // namespace tare::test
