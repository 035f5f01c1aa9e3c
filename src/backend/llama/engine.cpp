#include "backend/llama/engine.h"

#include <utility>

#include "backend/llama/capacity.h"
#include "backend/llama/decode_cost.h"
#include "backend/llama/row_summary.h"
#include "backend/llama/timer.h"

namespace tare::backend::llama {
namespace {

using base::Status;

std::vector<ScoreItem> chosen(std::span<const ScoreItem> items,
                              std::span<const std::size_t> which) {
  std::vector<ScoreItem> result;
  result.reserve(which.size());
  for (const std::size_t i : which) result.push_back(items[i]);
  return result;
}

}  // namespace

Status Engine::run(std::span<const ScoreItem> items, const Backend::Sink& sink,
                   const std::stop_token& stop) {
  const std::size_t together = context_.alone() ? 1 : items.size();
  for (std::size_t i = 0; i < items.size(); i += together)
    context_.counters().planned += cost(items.subspan(i, together));
  for (std::size_t i = 0; i < items.size(); i += together)
    TARE_CHECK(run_together(items.subspan(i, together), sink, stop));
  return {};
}

double Engine::cost(std::span<const ScoreItem> items) const {
  const std::size_t tile = context_.tile();
  const PrefixTree tree = build_prefix_tree(items, context_.cuttable());
  double cost = 0;
  for (const CapacityGroup& group : group_by_capacity(tree, items, tile)) {
    const std::vector<ScoreItem> members = chosen(items, group.items);
    Streams streams;
    for (const Decode& decode :
         make_schedule(build_prefix_tree(members, context_.cuttable()), members,
                       context_.planned_shape({.capacity = group.capacity}), streams, !started_))
      cost += decode_cost(decode, tile, context_.projection_cost());
  }
  return cost;
}

Status Engine::run_together(std::span<const ScoreItem> items, const Backend::Sink& sink,
                            const std::stop_token& stop) {
  const std::size_t tile = context_.tile();
  const PrefixTree tree = build_prefix_tree(items, context_.cuttable());
  for (const CapacityGroup& group : group_by_capacity(tree, items, tile))
    TARE_CHECK(run_group(chosen(items, group.items), group.capacity, sink, stop));
  return {};
}

Status Engine::run_group(std::span<const ScoreItem> items, std::size_t capacity,
                         const Backend::Sink& sink, const std::stop_token& stop) {
  TARE_CHECK(context_.prepare({.capacity = capacity}));
  if (!context_.cuttable() || context_.alone()) context_.forget();
  const Shape& shape = context_.shape();
  const PrefixTree tree = build_prefix_tree(items, context_.cuttable());
  Streams streams = context_.take_streams();
  const std::vector<Decode> decodes = make_schedule(tree, items, shape, streams, !started_);
  TARE_CHECK(execute_all(decodes, items, sink, stop));
  context_.give_streams(std::move(streams));
  return {};
}

Status Engine::execute_all(std::span<const Decode> decodes, std::span<const ScoreItem> items,
                           const Backend::Sink& sink, const std::stop_token& stop) {
  ItemSums sums(items);
  for (const Decode& decode : decodes) {
    if (stop.stop_requested())
      return base::fail(base::ErrorKind::interrupted, "scoring was stopped");
    TARE_CHECK(context_.run(decode, items));
    read(decode, sums);
    context_.counters().work += decode_cost(decode, context_.tile(), context_.projection_cost());
    started_ = true;
    if (const auto finished = sums.take_finished(); !finished.empty()) sink(finished);
  }
  return {};
}

/// Logits to log-probabilities, in double.
void Engine::read(const Decode& decode, ItemSums& sums) {
  const Timer timer(context_.counters().read_seconds);
  const std::vector<OutputRow> rows = output_rows(decode);
  std::vector<std::span<const float>> logits;
  for (const OutputRow& output : rows) logits.push_back(context_.logits(output.row));
  std::vector<RowSummary> summaries(rows.size());
  parallel_for(rows.size(), context_.threads(),
               [&](std::size_t i) { summaries[i] = summarise(logits[i]); });
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (const Read& next : rows[i].reads) {
      const core::Token target = sums.target(next);
      const double logit = logits[i][static_cast<std::size_t>(target)];
      sums.add(next, logit - summaries[i].log_sum, target == summaries[i].argmax);
    }
}

}  // namespace tare::backend::llama
