#include "backend/llama/model_shape.h"

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "backend/llama/gguf_file.h"

namespace tare::backend::llama {
namespace {

using base::Result;

constexpr const char* kInput = "token_embd.weight";
constexpr const char* kOutput = "output.weight";
/// Of these a token takes one row.
constexpr std::array<std::string_view, 5> kLookUp = {kInput, "position_embd.weight",
                                                     "token_types.weight",
                                                     "per_layer_token_embd.weight", "rope_freqs"};

/// The metadata of the model's architecture.
class Header {
 public:
  Header(const gguf_context* gguf, const std::filesystem::path& path) : gguf_(gguf), path_(path) {
    const std::int64_t id = gguf_find_key(gguf, "general.architecture");
    if (id >= 0 && gguf_get_kv_type(gguf, id) == GGUF_TYPE_STRING)
      architecture_ = gguf_get_val_str(gguf, id);
  }

  /// One number, or one for each layer; empty: not there, or no whole numbers.
  [[nodiscard]] std::vector<std::size_t> numbers(const std::string& name) const {
    const std::int64_t id = gguf_find_key(gguf_, (architecture_ + "." + name).c_str());
    if (id < 0) return {};
    const bool list = gguf_get_kv_type(gguf_, id) == GGUF_TYPE_ARRAY;
    const gguf_type type = list ? gguf_get_arr_type(gguf_, id) : gguf_get_kv_type(gguf_, id);
    if (type != GGUF_TYPE_UINT32 && type != GGUF_TYPE_INT32) return {};
    const auto* values = static_cast<const std::uint32_t*>(list ? gguf_get_arr_data(gguf_, id)
                                                                : gguf_get_val_data(gguf_, id));
    return {values, values + (list ? gguf_get_arr_n(gguf_, id) : 1)};
  }

  [[nodiscard]] std::size_t number_or(const std::string& name, std::size_t otherwise) const {
    const std::vector<std::size_t> found = numbers(name);
    return found.size() == 1 ? found.front() : otherwise;
  }

  [[nodiscard]] Result<std::size_t> number(const std::string& name) const {
    const std::vector<std::size_t> found = numbers(name);
    if (found.size() != 1 || found.front() == 0) return lacks(name);
    return found.front();
  }

  [[nodiscard]] base::Failure lacks(const std::string& name) const {
    return base::input_error(
        fmt::format("model {}: its header has no {}.{}, wanted a number above 0", path_.string(),
                    architecture_, name));
  }

 private:
  const gguf_context* gguf_;
  std::filesystem::path path_;
  std::string architecture_;
};

Result<std::size_t> attention_width(const Header& header) {
  TARE_TRY(const std::size_t layers, header.number("block_count"));
  TARE_TRY(const std::size_t width, header.number("embedding_length"));
  std::vector<std::size_t> heads = header.numbers("attention.head_count");
  if (heads.size() == 1) heads.resize(layers, heads.front());
  std::size_t sum = 0;
  for (const std::size_t count : heads) {
    if (count == 0) continue;
    const std::size_t usual = width / count;
    sum += count * (header.number_or("attention.key_length", usual) +
                    header.number_or("attention.value_length", usual));
  }
  if (sum == 0) return header.lacks("attention.head_count");
  return sum;
}

bool is_look_up(std::string_view name) {
  for (const std::string_view start : kLookUp)
    if (name.starts_with(start)) return true;
  return false;
}

/// The weights of a matrix, or of several; 0 of a vector.
std::size_t weights_of(const gguf_context* gguf, std::int64_t tensor) {
  const std::int64_t* size = gguf_get_tensor_ne(gguf, tensor);
  return size[1] == 1 && size[2] == 1
             ? 0
             : static_cast<std::size_t>(size[0] * size[1] * size[2] * size[3]);
}

std::size_t projection_weights(const gguf_context* gguf) {
  std::int64_t tensor = gguf_find_tensor(gguf, kOutput);
  if (tensor < 0) tensor = gguf_find_tensor(gguf, kInput);  // one table for both ends
  return tensor < 0 ? 0 : weights_of(gguf, tensor);
}

/// Of all layers.
Result<std::size_t> layer_weights(const gguf_context* gguf, const Header& header,
                                  const std::filesystem::path& path) {
  const std::size_t experts = header.number_or("expert_count", 1);
  const std::size_t chosen = header.number_or("expert_used_count", experts);
  std::size_t sum = 0;
  for (std::int64_t i = 0; i < gguf_get_n_tensors(gguf); ++i) {
    const std::string_view name = gguf_get_tensor_name(gguf, i);
    if (name.find(".ssm_") != std::string_view::npos ||
        name.find(".time_mix_") != std::string_view::npos)
      return base::input_error(fmt::format(
          "model {}: has recurrent layers ({}), whose work is not counted", path.string(), name));
    if (name == kOutput || is_look_up(name)) continue;
    const std::size_t weights = weights_of(gguf, i);
    const bool expert = name.find("_exps.") != std::string_view::npos && experts > 0;
    sum += expert ? weights / experts * chosen : weights;
  }
  return sum;
}

}  // namespace

Result<core::ModelShape> read_shape(const std::filesystem::path& path) {
  TARE_TRY(const Gguf gguf, read_gguf(path));
  const Header header(gguf.get(), path);
  core::ModelShape shape;
  TARE_TRY(shape.layer_weights, layer_weights(gguf.get(), header, path));
  TARE_TRY(shape.attention_width, attention_width(header));
  shape.projection_weights = projection_weights(gguf.get());
  return shape;
}

}  // namespace tare::backend::llama
