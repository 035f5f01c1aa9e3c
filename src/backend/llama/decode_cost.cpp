#include "backend/llama/decode_cost.h"

#include <llama.h>

#include <algorithm>
#include <charconv>
#include <string>

#include "backend/llama/batch.h"
#include "backend/llama/model.h"

namespace tare::backend::llama {
namespace {

/// In rows, as measured (lockstep.cpp): a decode of few rows takes as long as one of 20, because it
/// reads all weights just the same; others take 7 rows more than they have, and 0.4 for each
/// stream.
constexpr double kLeast = 20, kPerDecode = 7, kPerStream = 0.4;

/// A number among the metadata of the model's architecture; 0: not there.
double shape_number(const llama_model& model, const std::string& name) {
  const std::string text = metadata(model, metadata(model, "general.architecture") + "." + name);
  std::size_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return static_cast<double>(number);
}

/// Weights of all layers that one row meets; 0: unknown. Of experts only those that are chosen.
double layer_weights(const llama_model& model) {
  const double width = llama_model_n_embd(&model);
  const double experts = shape_number(model, "expert_used_count");
  const double inner = experts > 0 ? experts * shape_number(model, "expert_feed_forward_length")
                                   : shape_number(model, "feed_forward_length");
  const double heads = llama_model_n_head(&model);
  double head = shape_number(model, "attention.key_length");
  if (head == 0) head = width / std::max(1.0, heads);
  const double attention = 2 * width * head * (heads + llama_model_n_head_kv(&model));
  return inner == 0 ? 0 : llama_model_n_layer(&model) * (attention + 3 * width * inner);
}

}  // namespace

double projection_cost(const llama_model& model) {
  const double layers = layer_weights(model);
  const double vocabulary = llama_vocab_n_tokens(llama_model_get_vocab(&model));
  return layers == 0 ? 0 : vocabulary * llama_model_n_embd(&model) / layers;
}

double decode_cost(const Decode& decode, std::size_t tile, double projection) {
  const auto streams = static_cast<double>(decode.work.size());
  const double rows = static_cast<double>(decode.rows) * streams;
  const std::size_t outputs = (output_rows(decode).size() + tile - 1) / tile * tile;
  return std::max(kLeast, rows + kPerDecode) + kPerStream * streams +
         projection * static_cast<double>(outputs);
}

}  // namespace tare::backend::llama
