#pragma once

#include <memory>
#include <span>
#include <string>

#include "backend/llama/batch.h"
#include "backend/llama/context_settings.h"
#include "backend/llama/llama_backend.h"
#include "backend/llama/model.h"
#include "backend/llama/schedule.h"
#include "base/result.h"

namespace tare::backend::llama {

/// The KV cache that a piece of work needs.
struct CacheNeed {
  std::size_t capacity = 0;       ///< tokens that a stream must hold, padding included
  std::size_t least_streams = 1;  ///< made even if they take more than ContextSettings::kv_bytes
  std::size_t outputs = 0;        ///< rows of logits in a decode; 0: as many as the shape allows
};

/// What a context has taken, in bytes.
struct ContextMemory {
  std::size_t cache = 0;    ///< keys and values
  std::size_t compute = 0;  ///< of the largest decode
  std::size_t logits = 0;
};

/// A llama.cpp context: the KV cache and what is known of its content, and decodes on it.
class Context {
 public:
  /// `model` outlives this.
  Context(llama_model* model, ContextSettings settings);

  /// Keeps the present KV cache if it suits, else makes another one. shape() is valid after this.
  base::Status prepare(const CacheNeed& need);
  /// Carries out a planned decode. The logits of its output rows can be read until the next one.
  base::Status run(const Decode& decode, std::span<const ScoreItem> items);
  /// Appends rows to streams, one row each, and gives logits of all.
  base::Status run(std::span<const Row> rows);
  /// Logits over the vocabulary of a row of the last decode.
  [[nodiscard]] std::span<const float> logits(std::size_t row);
  /// Puts the first `tokens` tokens of one stream into another one.
  void copy(std::size_t from, std::size_t to, std::size_t tokens);
  /// Drops all but the first `tokens` tokens of a stream.
  void cut(std::size_t stream, std::size_t tokens);
  /// Empties the KV cache.
  void forget();

  /// What the streams hold. While it is taken nothing is known of them, so that whatever ends work
  /// early leaves no false claim.
  [[nodiscard]] Streams take_streams();
  void give_streams(Streams streams) { streams_ = std::move(streams); }

  /// Ends the present KV cache; what is planned after this has shapes of another class.
  void set_shape_class(const ShapeClass& shape);
  [[nodiscard]] const ShapeClass& shape_class() const { return settings_.shape_class; }
  [[nodiscard]] ContextMemory memory() const;
  /// What the model's weights take beside the mapped file. Known after prepare().
  [[nodiscard]] std::size_t repacked_bytes() const;
  [[nodiscard]] const Shape& shape() const { return shape_; }
  /// The shape that prepare() would have, as far as memory allows.
  [[nodiscard]] Shape planned_shape(const CacheNeed& need) const;
  /// Of a row of logits (decode_cost.h).
  [[nodiscard]] double projection_cost() const { return projection_cost_; }
  [[nodiscard]] unsigned threads() const { return settings_.threads; }
  [[nodiscard]] std::size_t tile() const { return settings_.shape_class.tile; }
  /// The state after a prefix can be kept and copied, and its last tokens dropped.
  [[nodiscard]] bool cuttable() const { return cuttable_; }
  /// Items are scored one at a time, and nothing is kept from one to the next.
  [[nodiscard]] bool alone() const { return shape_class().alone || !settings_.share_prefixes; }
  [[nodiscard]] Counters& counters() { return counters_; }
  [[nodiscard]] const Counters& counters() const { return counters_; }

 private:
  std::string decode_fault();
  base::Status make(const CacheNeed& need);
  [[nodiscard]] ContextPtr make_context() const;
  [[nodiscard]] std::size_t stream_bytes(std::size_t capacity) const;
  [[nodiscard]] std::size_t most_streams(const CacheNeed& need) const;
  [[nodiscard]] Shape shape_of(std::size_t streams, const CacheNeed& need) const;

  llama_model* model_;
  ContextSettings settings_;
  std::size_t vocabulary_ = 0;
  double projection_cost_ = 0;
  bool cuttable_ = true;
  ContextPtr context_;
  Shape shape_;  ///< of the present context
  CacheNeed made_for_;
  Streams streams_;
  Batch batch_;
  Counters counters_;
};

}  // namespace tare::backend::llama
