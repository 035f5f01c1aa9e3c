#include "backend/llama/answer_steps.h"

#include <algorithm>

#include "backend/llama/capacity.h"
#include "backend/llama/generator.h"

namespace tare::backend::llama {
namespace {

class Steps {
 public:
  Steps(Context& context, std::span<const ScoreItem> items, std::size_t first_seat)
      : context_(context),
        items_(items),
        slots_(slot_count(context)),
        first_slot_(context.shape().streams - slots_),
        first_seat_(first_seat) {}

  base::Result<std::vector<Logits>> run() {
    TARE_CHECK(seat());
    std::vector<Logits> logits(items_.size());
    const std::size_t steps = items_[0].tokens.size() - items_[0].first_scored;
    for (std::size_t step = 0; step < steps; ++step) TARE_CHECK(take(step, logits));
    context_.forget();
    return logits;
  }

 private:
  base::Status seat() {
    std::vector<ScoreItem> prompts(items_.begin(), items_.end());
    for (ScoreItem& prompt : prompts) prompt.tokens.resize(prompt.first_scored + 1);
    Shape shape = context_.shape();
    shape.streams = first_slot_;
    Streams streams;
    const PrefixTree tree = build_prefix_tree(prompts);
    for (const Decode& decode : make_schedule(tree, prompts, shape, streams, false)) {
      TARE_CHECK(context_.run(decode, prompts));
      for (const StreamWork& work : decode.work)
        for (const Read& read : work.reads)
          context_.copy(work.stream, stream_of(read.item), prompts[read.item].first_scored);
    }
    return {};
  }

  base::Status take(std::size_t step, std::vector<Logits>& logits) {
    std::vector<Row> rows;
    for (std::size_t slot = 0; slot < slots_; ++slot) rows.push_back(idle_row(slot));
    for (std::size_t i = 0; i < items_.size(); ++i) {
      const std::size_t position = items_[i].first_scored + step;
      rows[first_seat_ + i] = {items_[i].tokens[position], position, stream_of(i)};
    }
    TARE_CHECK(context_.run(rows));
    for (std::size_t i = 0; i < items_.size(); ++i) {
      const std::span<const float> row = context_.logits(first_seat_ + i);
      logits[i].emplace_back(row.begin(), row.end());
    }
    return {};
  }

  Row idle_row(std::size_t slot) {
    const bool seated = slot >= first_seat_ && slot < first_seat_ + items_.size();
    if (!seated) context_.cut(first_slot_ + slot, 0);
    return {0, 0, first_slot_ + slot};
  }

  [[nodiscard]] std::size_t stream_of(std::size_t item) const {
    return first_slot_ + first_seat_ + item;
  }

  Context& context_;
  std::span<const ScoreItem> items_;
  std::size_t slots_;
  std::size_t first_slot_;
  std::size_t first_seat_;
};

std::size_t longest(std::span<const ScoreItem> items) {
  std::size_t tokens = 0;
  for (const ScoreItem& item : items) tokens = std::max(tokens, item.tokens.size());
  return tokens;
}

}  // namespace

base::Result<std::vector<Logits>> answer_logits(Context& context, std::span<const ScoreItem> items,
                                                std::size_t first_seat) {
  const std::size_t capacity = stream_capacity(longest(items) + context.tile());
  TARE_CHECK(context.prepare({.capacity = capacity, .least_streams = least_streams(context)}));
  context.forget();
  return Steps(context, items, first_seat).run();
}

}  // namespace tare::backend::llama
