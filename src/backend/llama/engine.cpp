#include "backend/llama/engine.h"

#include <fmt/format.h>
#include <llama.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <utility>

#include "backend/llama/capacity.h"
#include "backend/llama/item_sums.h"
#include "backend/llama/log_capture.h"
#include "backend/llama/row_summary.h"

namespace tare::backend::llama {
namespace {

using base::Status;
using base::work_failed;

/// Memory for the logits of one decode.
constexpr std::size_t kLogitBytes = 64ULL << 20;

/// Adds the wall time of its life to a counter.
class Timer {
 public:
  explicit Timer(double& seconds) : seconds_(seconds) {}
  ~Timer() {
    seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  }
  Timer(const Timer&) = delete;
  Timer& operator=(const Timer&) = delete;

 private:
  double& seconds_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

std::size_t round_up(std::size_t value, std::size_t step) {
  return (value + step - 1) / step * step;
}

std::vector<ScoreItem> chosen(std::span<const ScoreItem> items,
                              std::span<const std::size_t> which) {
  std::vector<ScoreItem> result;
  result.reserve(which.size());
  for (const std::size_t i : which) result.push_back(items[i]);
  return result;
}

}  // namespace

Engine::Engine(llama_model* model, EngineSettings settings)
    : model_(model),
      settings_(settings),
      vocabulary_(static_cast<std::size_t>(llama_vocab_n_tokens(llama_model_get_vocab(model)))),
      cuttable_(!llama_model_is_recurrent(model) && !llama_model_is_hybrid(model)) {}

Status Engine::run(std::span<const ScoreItem> items, const Backend::Sink& sink,
                   const std::stop_token& stop) {
  const std::size_t tile = settings_.shape.tile;
  const auto groups = group_by_capacity(build_prefix_tree(items, tile, cuttable_), items, tile);
  for (const CapacityGroup& group : groups)
    TARE_CHECK(run_group(chosen(items, group.items), group.capacity, sink, stop));
  return {};
}

Status Engine::run_group(std::span<const ScoreItem> items, std::size_t capacity,
                         const Backend::Sink& sink, const std::stop_token& stop) {
  TARE_CHECK(prepare_context(capacity));
  if (!cuttable_) forget();
  const PrefixTree tree = build_prefix_tree(items, shape_.tile, cuttable_);
  // Until all is done nothing is known of the cache: whatever ends this early leaves no false
  // claim.
  Streams after = std::exchange(streams_, {});
  const std::vector<Decode> decodes = make_schedule(tree, items, shape_, after, !started_);
  TARE_CHECK(execute_all(decodes, items, sink, stop));
  streams_ = std::move(after);
  return {};
}

Status Engine::execute_all(std::span<const Decode> decodes, std::span<const ScoreItem> items,
                           const Backend::Sink& sink, const std::stop_token& stop) {
  ItemSums sums(items);
  for (const Decode& decode : decodes) {
    if (stop.stop_requested())
      return base::fail(base::ErrorKind::interrupted, "scoring was stopped");
    TARE_CHECK(execute(decode, items));
    read(decode, sums);
    started_ = true;
    if (const auto finished = sums.take_finished(); !finished.empty()) sink(finished);
  }
  return {};
}

Status Engine::execute(const Decode& decode, std::span<const ScoreItem> items) {
  const Timer timer(counters_.decode_seconds);
  llama_memory_t memory = llama_get_memory(context_.get());
  for (const StreamWork& work : decode.work) {
    const auto stream = static_cast<llama_seq_id>(work.stream);
    if (work.copy_from)
      llama_memory_seq_cp(memory, static_cast<llama_seq_id>(*work.copy_from), stream, -1, -1);
    llama_memory_seq_rm(memory, stream, static_cast<llama_pos>(work.keep), -1);
    counters_.copies += work.copy_from.has_value();
    counters_.computed += work.count;
    counters_.padding += decode.rows - work.count;
  }
  batch_.fill(decode, items, shape_.tile);
  counters_.decodes += 1;
  if (const std::string fault = decode_fault(); !fault.empty())
    return work_failed(fmt::format("llama.cpp: decoding {} streams of {} tokens failed: {}",
                                   decode.work.size(), decode.rows, fault));
  return {};
}

/// Runs the batch. Why it failed, "" if it did not.
std::string Engine::decode_fault() try {
  const LogCapture log;
  const int code = llama_decode(context_.get(), batch_.view());
  llama_synchronize(context_.get());
  return code == 0 ? "" : fmt::format("code {} {}", code, log.first_error());
} catch (const std::exception& fault) {
  return fault.what();
}

/// Logits to log-probabilities, in double.
void Engine::read(const Decode& decode, ItemSums& sums) {
  const Timer timer(counters_.read_seconds);
  const std::vector<OutputRow> rows = output_rows(decode);
  std::vector<std::span<const float>> logits;
  for (const OutputRow& output : rows)
    logits.emplace_back(llama_get_logits_ith(context_.get(), static_cast<std::int32_t>(output.row)),
                        vocabulary_);
  std::vector<RowSummary> summaries(rows.size());
  parallel_for(rows.size(), settings_.threads,
               [&](std::size_t i) { summaries[i] = summarise(logits[i]); });
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (const Read& next : rows[i].reads) {
      const core::Token target = sums.target(next);
      const double logit = logits[i][static_cast<std::size_t>(target)];
      sums.add(next, logit - summaries[i].log_sum, target == summaries[i].argmax);
    }
}

/// Keeps the present context if it is large enough and not needlessly large.
Status Engine::prepare_context(std::size_t capacity) {
  if (context_ && capacity <= capacity_ && capacity_ <= 2 * capacity) return {};
  const std::size_t bytes =
      capacity * kv_bytes_per_token(*model_, settings_.kv == KvFormat::f32 ? 4 : 2);
  std::size_t streams = std::clamp<std::size_t>(
      settings_.kv_bytes / std::max<std::size_t>(bytes, 1), 1, settings_.shape.streams);
  const LogCapture log;
  context_.reset();
  for (; streams > 0 && !context_; streams /= 2) {
    shape_ = settings_.shape;
    shape_.streams = streams;
    const std::size_t outputs =
        kLogitBytes / sizeof(float) / vocabulary_ / shape_.tile * shape_.tile;
    shape_.outputs = std::clamp(outputs, round_up(streams, shape_.tile), shape_.rows);
    context_ = make_context(capacity, streams);
  }
  if (!context_)
    return work_failed(
        fmt::format("not enough memory for a context of {} tokens ({} MiB of KV cache): {}",
                    capacity, bytes >> 20, log.first_error()));
  capacity_ = capacity;
  streams_.assign(shape_.streams, {});
  return {};
}

ContextPtr Engine::make_context(std::size_t capacity, std::size_t streams) const {
  llama_context_params params = llama_context_default_params();
  params.n_ctx = static_cast<std::uint32_t>(capacity * streams);
  params.n_seq_max = static_cast<std::uint32_t>(streams);
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

void Engine::forget() {
  llama_memory_clear(llama_get_memory(context_.get()), true);
  streams_.assign(shape_.streams, {});
}

}  // namespace tare::backend::llama
