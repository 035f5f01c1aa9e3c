#pragma once

#include <memory>
#include <span>
#include <stop_token>
#include <string>

#include "backend/llama/batch.h"
#include "backend/llama/item_sums.h"
#include "backend/llama/llama_backend.h"
#include "backend/llama/model.h"
#include "backend/llama/schedule.h"
#include "base/result.h"

namespace tare::backend::llama {

struct EngineSettings {
  unsigned threads = 1;
  Shape shape;  ///< `streams` is the most; memory may allow fewer
  std::size_t kv_bytes = 0;
  KvFormat kv = KvFormat::f32;
  bool flash_attention = false;
};

/// Executes schedules on a model: owns the KV cache and remembers what stands in it, so that a call
/// that begins with the last one's prefix does not compute it again.
class Engine {
 public:
  /// `model` outlives this.
  Engine(llama_model* model, EngineSettings settings);
  base::Status run(std::span<const ScoreItem> items, const Backend::Sink& sink,
                   const std::stop_token& stop);
  [[nodiscard]] const Counters& counters() const { return counters_; }

 private:
  base::Status run_group(std::span<const ScoreItem> items, std::size_t capacity,
                         const Backend::Sink& sink, const std::stop_token& stop);
  base::Status execute_all(std::span<const Decode> decodes, std::span<const ScoreItem> items,
                           const Backend::Sink& sink, const std::stop_token& stop);
  base::Status execute(const Decode& decode, std::span<const ScoreItem> items);
  std::string decode_fault();
  void read(const Decode& decode, ItemSums& sums);
  base::Status prepare_context(std::size_t capacity);
  [[nodiscard]] ContextPtr make_context(std::size_t capacity, std::size_t streams) const;
  void forget();

  llama_model* model_;
  EngineSettings settings_;
  std::size_t vocabulary_ = 0;
  bool cuttable_ = true;  ///< the state after a prefix can be kept and copied
  ContextPtr context_;
  Shape shape_;  ///< of the present context
  std::size_t capacity_ = 0;
  Streams streams_;
  Batch batch_;
  Counters counters_;
  bool started_ = false;
};

}  // namespace tare::backend::llama
