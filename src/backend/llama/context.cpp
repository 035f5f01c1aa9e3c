#include "backend/llama/context.h"

#include <fmt/format.h>
#include <llama-ext.h>
#include <llama.h>

#include <algorithm>
#include <exception>
#include <utility>

#include "backend/llama/decode_cost.h"
#include "backend/llama/log_capture.h"
#include "backend/llama/machine.h"
#include "backend/llama/timer.h"

namespace tare::backend::llama {
namespace {

using base::Status;
using base::work_failed;

/// Memory for the logits of one decode.
constexpr std::size_t kLogitBytes = 256ULL << 20;

std::size_t round_up(std::size_t value, std::size_t step) {
  return (value + step - 1) / step * step;
}

base::Failure no_memory(const CacheNeed& need, std::size_t bytes, const std::string& why) {
  return work_failed(fmt::format(
      "not enough memory for {} times {} tokens ({} MiB of KV cache): {}; shorten prompts or "
      "answers, or keep the KV cache in float16",
      need.least_streams, need.capacity, bytes >> 20, why));
}

}  // namespace

Context::Context(llama_model* model, ContextSettings settings)
    : model_(model),
      settings_(settings),
      vocabulary_(static_cast<std::size_t>(llama_vocab_n_tokens(llama_model_get_vocab(model)))),
      projection_cost_(llama::projection_cost(*model)),
      cuttable_(!llama_model_is_recurrent(model) && !llama_model_is_hybrid(model)) {}

void Context::set_shape_class(const ShapeClass& shape) {
  settings_.shape_class = shape;
  context_.reset();
}

Status Context::prepare(const CacheNeed& need) {
  const bool suits = context_ && need.capacity <= made_for_.capacity &&
                     made_for_.capacity <= 2 * need.capacity &&
                     shape_.streams >= need.least_streams && made_for_.outputs == need.outputs;
  if (suits) return {};
  context_.reset();
  const std::size_t least_bytes = stream_bytes(need.capacity) * need.least_streams;
  if (const std::size_t memory = available_memory(); memory != 0 && least_bytes > memory)
    return no_memory(need, least_bytes, fmt::format("{} MiB are free", memory >> 20));
  return make(need);
}

std::size_t Context::stream_bytes(std::size_t capacity) const {
  return capacity * kv_bytes_per_token(*model_, settings_.kv == KvFormat::f32 ? 4 : 2);
}

/// As many streams as kv_bytes allows.
std::size_t Context::most_streams(const CacheNeed& need) const {
  const std::size_t bytes = std::max<std::size_t>(stream_bytes(need.capacity), 1);
  return std::clamp(settings_.kv_bytes / bytes, need.least_streams,
                    std::max(need.least_streams, settings_.streams));
}

/// Fewer streams than are allowed where making them fails.
Status Context::make(const CacheNeed& need) {
  const std::size_t least = need.least_streams;
  std::size_t streams = most_streams(need);
  const LogCapture log;
  for (bool last = false; !context_ && !last; streams = std::max(least, streams / 2)) {
    shape_ = shape_of(streams, need);
    context_ = make_context();
    last = streams == least;
  }
  if (!context_) return no_memory(need, stream_bytes(need.capacity) * least, log.first_error());
  made_for_ = need;
  streams_.assign(shape_.streams, {});
  return {};
}

Shape Context::planned_shape(const CacheNeed& need) const {
  return shape_of(most_streams(need), need);
}

Shape Context::shape_of(std::size_t streams, const CacheNeed& need) const {
  const std::size_t rows = settings_.rows / tile() * tile();
  const std::size_t affordable = kLogitBytes / sizeof(float) / vocabulary_ / tile() * tile();
  const std::size_t least = round_up(streams, tile());  // llama.cpp wants one for each
  const std::size_t wanted = need.outputs != 0 ? need.outputs : affordable;
  return {.tile = tile(),
          .grain = settings_.shape_class.grain,
          .rows = rows,
          .outputs = std::clamp(wanted, least, std::max(least, rows)),
          .streams = streams,
          .capacity = need.capacity,
          .cuttable = cuttable_};
}

ContextPtr Context::make_context() const {
  llama_context_params params = llama_context_default_params();
  params.n_ctx = static_cast<std::uint32_t>(shape_.capacity * shape_.streams);
  params.n_seq_max = static_cast<std::uint32_t>(shape_.streams);
  params.n_batch = params.n_ubatch = static_cast<std::uint32_t>(shape_.rows);
  params.n_outputs_max = static_cast<std::uint32_t>(shape_.outputs);
  params.n_threads = params.n_threads_batch = static_cast<std::int32_t>(settings_.threads);
  params.flash_attn_type =
      settings_.flash_attention ? LLAMA_FLASH_ATTN_TYPE_AUTO : LLAMA_FLASH_ATTN_TYPE_DISABLED;
  params.type_k = params.type_v = settings_.kv == KvFormat::f32 ? GGML_TYPE_F32 : GGML_TYPE_F16;
  params.kv_unified = false;  // one stream never sees another one's size
  params.swa_full = true;     // a sliding window would drop prefixes that are still needed
  params.no_perf = true;
  return ContextPtr(llama_init_from_model(model_, params));
}

ContextMemory Context::memory() const {
  ContextMemory memory{.logits = shape_.outputs * vocabulary_ * sizeof(float)};
  if (!context_) return memory;
  for (const auto& [kind, part] : llama_get_memory_breakdown(context_.get())) {
    memory.cache += part.context;
    memory.compute += part.compute;
  }
  return memory;
}

std::size_t Context::repacked_bytes() const {
  std::size_t bytes = 0;
  if (!context_) return bytes;
  for (const auto& [kind, part] : llama_get_memory_breakdown(context_.get()))
    if (!ggml_backend_buft_is_host(kind)) bytes += part.model;
  return bytes;
}

Status Context::run(const Decode& decode, std::span<const ScoreItem> items) {
  const Timer timer(counters_.decode_seconds);
  for (const Copy& next : decode.copies) copy(next.from, next.to, next.tokens);
  for (const StreamWork& work : decode.work) {
    cut(work.stream, work.keep);
    counters_.computed += work.count;
    counters_.padding += decode.rows - work.count;
  }
  batch_.fill(decode, items, tile());
  if (const std::string fault = decode_fault(); !fault.empty())
    return work_failed(fmt::format("llama.cpp: decoding {} streams of {} tokens failed: {}",
                                   decode.work.size(), decode.rows, fault));
  return {};
}

Status Context::run(std::span<const Row> rows) {
  const Timer timer(counters_.decode_seconds);
  batch_.fill(rows);
  if (const std::string fault = decode_fault(); !fault.empty())
    return work_failed(
        fmt::format("llama.cpp: decoding one token of {} streams failed: {}", rows.size(), fault));
  return {};
}

/// Runs the batch. Why it failed, "" if it did not.
std::string Context::decode_fault() try {
  const LogCapture log;
  counters_.decodes += 1;
  const int code = llama_decode(context_.get(), batch_.view());
  llama_synchronize(context_.get());
  return code == 0 ? "" : fmt::format("code {} {}", code, log.first_error());
} catch (const std::exception& fault) {
  return fault.what();
}

std::span<const float> Context::logits(std::size_t row) {
  return {llama_get_logits_ith(context_.get(), static_cast<std::int32_t>(row)), vocabulary_};
}

void Context::copy(std::size_t from, std::size_t to, std::size_t tokens) {
  llama_memory_seq_cp(llama_get_memory(context_.get()), static_cast<llama_seq_id>(from),
                      static_cast<llama_seq_id>(to), -1, -1);
  cut(to, tokens);
  counters_.copies += 1;
}

void Context::cut(std::size_t stream, std::size_t tokens) {
  llama_memory_seq_rm(llama_get_memory(context_.get()), static_cast<llama_seq_id>(stream),
                      static_cast<llama_pos>(tokens), -1);
}

void Context::forget() {
  llama_memory_clear(llama_get_memory(context_.get()), true);
  streams_.assign(shape_.streams, {});
}

Streams Context::take_streams() {
  return std::exchange(streams_, {});
}

}  // namespace tare::backend::llama
