#include <ggml-backend.h>
#include <ggml.h>

#include <array>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <vector>

#include "backend/llama/log_capture.h"
#include "backend/llama/tiers.h"

namespace tare::backend::llama {
namespace {

// Sizes that every kernel family takes: K-quants want 256 columns, AMX 32 rows, and a handful of
// input rows makes them take the path of prompts, 1 that of single tokens.
constexpr std::int64_t kColumns = 256, kWeights = 64, kMostInputs = 16;
constexpr float kTolerance = 0.01F;  // of the largest product: inputs are rounded to 8 bits

constexpr std::array kFormats{GGML_TYPE_F32,  GGML_TYPE_F16,  GGML_TYPE_Q4_0,
                              GGML_TYPE_Q8_0, GGML_TYPE_Q4_K, GGML_TYPE_Q6_K};

struct FreeContext {
  void operator()(ggml_context* context) const { ggml_free(context); }
};
struct FreeBuffer {
  void operator()(ggml_backend_buffer* buffer) const { ggml_backend_buffer_free(buffer); }
};
struct FreeBackend {
  void operator()(ggml_backend* backend) const { ggml_backend_free(backend); }
};
using Context = std::unique_ptr<ggml_context, FreeContext>;
using Buffer = std::unique_ptr<ggml_backend_buffer, FreeBuffer>;
using Backend = std::unique_ptr<ggml_backend, FreeBackend>;

Context make_context() {
  return Context(ggml_init({.mem_size = ggml_tensor_overhead() * 16 + ggml_graph_overhead(),
                            .mem_buffer = nullptr,
                            .no_alloc = true}));
}

/// Numbers without a pattern that a wrong kernel could get right by luck.
std::vector<float> numbers(std::int64_t count, std::uint32_t seed) {
  std::vector<float> values(static_cast<std::size_t>(count));
  for (float& value : values) {
    seed = seed * 1664525U + 1013904223U;
    value = static_cast<float>(seed >> 8) / static_cast<float>(1U << 24) - 0.5F;
  }
  return values;
}

float product(const std::vector<float>& weights, const std::vector<float>& inputs, std::int64_t row,
              std::int64_t column) {
  double sum = 0;
  for (std::int64_t i = 0; i < kColumns; ++i)
    sum += static_cast<double>(weights[static_cast<std::size_t>(column * kColumns + i)]) *
           inputs[static_cast<std::size_t>(row * kColumns + i)];
  return static_cast<float>(sum);
}

/// The products that came out, against plain ones.
bool close_enough(const std::vector<float>& found, const std::vector<float>& weights,
                  const std::vector<float>& inputs, std::int64_t rows) {
  float largest = 0, worst = 0;
  for (std::int64_t row = 0; row < rows; ++row)
    for (std::int64_t column = 0; column < kWeights; ++column) {
      const float wanted = product(weights, inputs, row, column);
      const float error =
          std::abs(found[static_cast<std::size_t>(row * kWeights + column)] - wanted);
      if (!(error <= worst)) worst = error;
      largest = std::max(largest, std::abs(wanted));
    }
  return worst <= kTolerance * largest;
}

/// The weights in a number format's bytes, and the floats that these stand for.
struct Weights {
  std::vector<std::byte> packed;
  std::vector<float> values;
};

Weights make_weights(ggml_type format) {
  Weights weights{std::vector<std::byte>(ggml_row_size(format, kColumns) * kWeights),
                  numbers(kColumns * kWeights, 1)};
  ggml_quantize_chunk(format, weights.values.data(), weights.packed.data(), 0, kWeights, kColumns,
                      nullptr);
  if (const auto unpack = ggml_get_type_traits(format)->to_float)
    unpack(weights.packed.data(), weights.values.data(), kColumns * kWeights);
  return weights;
}

/// Multiplies with weights of one number format in one kind of memory (some kernels want their
/// weights rearranged). True if the products are right or the kernel does not exist.
bool multiply(ggml_backend_t backend, ggml_backend_buffer_type_t memory, ggml_type format,
              std::int64_t rows) {
  const Context weight_context = make_context(), context = make_context();
  ggml_tensor* weight = ggml_new_tensor_2d(weight_context.get(), format, kColumns, kWeights);
  const Buffer weight_buffer(
      ggml_backend_alloc_ctx_tensors_from_buft(weight_context.get(), memory));
  if (!weight_buffer) return true;
  ggml_backend_buffer_set_usage(weight_buffer.get(), GGML_BACKEND_BUFFER_USAGE_WEIGHTS);

  ggml_tensor* input = ggml_new_tensor_2d(context.get(), GGML_TYPE_F32, kColumns, rows);
  ggml_tensor* output = ggml_mul_mat(context.get(), weight, input);
  if (!ggml_backend_dev_supports_op(ggml_backend_get_device(backend), output)) return true;
  const Buffer buffer(ggml_backend_alloc_ctx_tensors(context.get(), backend));

  const Weights weights = make_weights(format);
  const std::vector<float> inputs = numbers(kColumns * rows, 2);
  ggml_backend_tensor_set(weight, weights.packed.data(), 0, weights.packed.size());
  ggml_backend_tensor_set(input, inputs.data(), 0, ggml_nbytes(input));

  ggml_cgraph* graph = ggml_new_graph(context.get());
  ggml_build_forward_expand(graph, output);
  if (ggml_backend_graph_compute(backend, graph) != GGML_STATUS_SUCCESS) return false;
  std::vector<float> found(static_cast<std::size_t>(rows * kWeights));
  ggml_backend_tensor_get(output, found.data(), 0, ggml_nbytes(output));
  return close_enough(found, weights.values, inputs, rows);
}

/// Plain memory, and those in which the tier's own kernels keep rearranged weights.
std::vector<ggml_backend_buffer_type_t> kinds_of_memory(ggml_backend_reg_t registry) {
  ggml_backend_dev_t device = ggml_backend_reg_dev_get(registry, 0);
  std::vector<ggml_backend_buffer_type_t> kinds{ggml_backend_dev_buffer_type(device)};
  const auto extra = reinterpret_cast<ggml_backend_dev_get_extra_bufts_t>(
      ggml_backend_reg_get_proc_address(registry, "ggml_backend_dev_get_extra_bufts"));
  if (extra == nullptr) return kinds;
  for (ggml_backend_buffer_type_t* kind = extra(device); kind != nullptr && *kind != nullptr;
       ++kind)
    kinds.push_back(*kind);
  return kinds;
}

/// One thread: starting more takes longer than these products.
Backend start(ggml_backend_reg_t registry) {
  Backend backend(ggml_backend_dev_init(ggml_backend_reg_dev_get(registry, 0), nullptr));
  const auto set_threads = reinterpret_cast<ggml_backend_set_n_threads_t>(
      ggml_backend_reg_get_proc_address(registry, "ggml_backend_set_n_threads"));
  if (backend && set_threads != nullptr) set_threads(backend.get(), 1);
  return backend;
}

bool all_products_right(ggml_backend_reg_t registry) {
  const Backend backend = start(registry);
  if (!backend) return false;
  for (ggml_backend_buffer_type_t memory : kinds_of_memory(registry))
    for (const ggml_type format : kFormats)
      for (const std::int64_t rows : {kMostInputs, std::int64_t{1}})
        if (!multiply(backend.get(), memory, format, rows)) return false;
  return true;
}

}  // namespace

int run_tier_probe(const std::string& name) {
  const LogCapture log;
  for (const Tier& tier : list_tiers()) {
    if (tier.name != name) continue;
    ggml_backend_reg_t registry = ggml_backend_load(tier.library.string().c_str());
    return registry != nullptr && all_products_right(registry) ? EXIT_SUCCESS : EXIT_FAILURE;
  }
  return EXIT_FAILURE;
}

}  // namespace tare::backend::llama
