#pragma once

#include <span>
#include <stop_token>

#include "backend/llama/context.h"
#include "backend/llama/item_sums.h"

namespace tare::backend::llama {

/// Scores items on a context: plans their decodes, carries them out, reads the rows. A call that
/// begins with the last one's prefix does not compute it again.
class Engine {
 public:
  /// `context` outlives this.
  explicit Engine(Context& context) : context_(context) {}
  base::Status run(std::span<const ScoreItem> items, const Backend::Sink& sink,
                   const std::stop_token& stop);

 private:
  /// What the items will cost, as they would be planned with empty streams.
  [[nodiscard]] double cost(std::span<const ScoreItem> items) const;
  base::Status run_together(std::span<const ScoreItem> items, const Backend::Sink& sink,
                            const std::stop_token& stop);
  base::Status run_group(std::span<const ScoreItem> items, std::size_t capacity,
                         const Backend::Sink& sink, const std::stop_token& stop);
  base::Status execute_all(std::span<const Decode> decodes, std::span<const ScoreItem> items,
                           const Backend::Sink& sink, const std::stop_token& stop);
  void read(const Decode& decode, ItemSums& sums);

  Context& context_;
  bool started_ = false;
};

}  // namespace tare::backend::llama
