#include "backend/llama/importance.h"

#include <fmt/format.h>
#include <ggml.h>
#include <gguf.h>

#include <cmath>
#include <cstdint>
#include <memory>

#include "backend/llama/gguf_file.h"
#include "backend/llama/log_capture.h"
#include "base/files.h"

namespace tare::backend::llama {
namespace {

namespace fs = std::filesystem;
using base::input_error;
using base::Result;
using base::Status;

constexpr const char *kDatasets = "imatrix.datasets", *kChunks = "imatrix.chunk_count",
                     *kChunkSize = "imatrix.chunk_size";
/// Sums of squares, and over how many rows each expert's were taken.
constexpr std::string_view kSums = ".in_sum2", kCounts = ".counts";

struct FreeTensors {
  void operator()(ggml_context* tensors) const { ggml_free(tensors); }
};
using Tensors = std::unique_ptr<ggml_context, FreeTensors>;

struct Measured {
  const ggml_tensor *sums = nullptr, *counts = nullptr;
};

Result<std::int64_t> find_key(const gguf_context& gguf, const char* key, gguf_type type) {
  const std::int64_t found = gguf_find_key(&gguf, key);
  if (found >= 0 && gguf_get_kv_type(&gguf, found) == type) return found;
  return input_error(fmt::format("has no {}, so that it is no importance matrix", key));
}

Status read_metadata(const gguf_context& gguf, ImportanceMatrix& matrix) {
  TARE_TRY(const std::int64_t datasets, find_key(gguf, kDatasets, GGUF_TYPE_ARRAY));
  TARE_TRY(const std::int64_t chunks, find_key(gguf, kChunks, GGUF_TYPE_UINT32));
  TARE_CHECK(find_key(gguf, kChunkSize, GGUF_TYPE_UINT32));
  matrix.chunks = static_cast<int>(gguf_get_val_u32(&gguf, chunks));
  if (gguf_get_arr_type(&gguf, datasets) == GGUF_TYPE_STRING && gguf_get_arr_n(&gguf, datasets) > 0)
    matrix.dataset = gguf_get_arr_str(&gguf, datasets, 0);
  return {};
}

/// Sums over counts; 1 for an expert that was never asked.
Result<std::vector<float>> means(const Measured& measured) {
  if (measured.sums == nullptr || measured.counts == nullptr)
    return input_error("has sums without counts, or counts without sums");
  if (measured.sums->type != GGML_TYPE_F32 || measured.counts->type != GGML_TYPE_F32)
    return input_error("has sums or counts that are not F32");
  const std::int64_t size = ggml_nelements(measured.sums),
                     experts = ggml_nelements(measured.counts);
  if (experts < 1 || size % experts != 0)
    return input_error(fmt::format("has {} sums for {} counts", size, experts));
  const auto* sums = static_cast<const float*>(measured.sums->data);
  const auto* counts = static_cast<const float*>(measured.counts->data);
  std::vector<float> columns(static_cast<std::size_t>(size), 1);
  for (std::int64_t i = 0; i < size; ++i) {
    const auto count = static_cast<float>(std::lround(counts[i / (size / experts)]));
    if (count > 0) columns[static_cast<std::size_t>(i)] = sums[i] / count;
  }
  return columns;
}

Status read_tensors(ggml_context* tensors, ImportanceMatrix& matrix) {
  std::map<std::string, Measured> found;
  for (ggml_tensor* one = ggml_get_first_tensor(tensors); one != nullptr;
       one = ggml_get_next_tensor(tensors, one)) {
    const std::string_view name = one->name;
    const auto stem = [&](std::string_view ending) {
      return std::string(name.substr(0, name.size() - ending.size()));
    };
    if (name.ends_with(kSums)) found[stem(kSums)].sums = one;
    if (name.ends_with(kCounts)) found[stem(kCounts)].counts = one;
  }
  if (found.empty()) return input_error("has no entries");
  for (const auto& [name, measured] : found) {
    auto columns = means(measured);
    if (!columns) return base::in_context("tensor " + name, columns.error());
    matrix.columns.emplace(name, std::move(*columns));
  }
  return {};
}

Result<ImportanceMatrix> read_new(const fs::path& path) {
  const LogCapture log;
  ggml_context* made = nullptr;
  const Gguf gguf(gguf_init_from_file(path.string().c_str(), {.no_alloc = false, .ctx = &made}));
  const Tensors tensors(made);
  if (!gguf) return input_error(fmt::format("damaged GGUF file ({})", log.first_error()));
  ImportanceMatrix matrix;
  TARE_CHECK(read_metadata(*gguf, matrix));
  TARE_CHECK(read_tensors(tensors.get(), matrix));
  return matrix;
}

}  // namespace

Result<ImportanceMatrix> read_importance(const fs::path& path) {
  auto bytes = base::read_file(path);
  if (!bytes) return input_error("importance matrix " + bytes.error().text);
  auto matrix = bytes->starts_with("GGUF") ? read_new(path) : parse_old_importance(*bytes);
  if (!matrix) return base::in_context("importance matrix " + path.string(), matrix.error());
  return matrix;
}

}  // namespace tare::backend::llama
