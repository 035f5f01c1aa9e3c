#include "backend/llama/memory_estimate.h"

#include <fmt/format.h>
#include <llama.h>

#include <algorithm>
#include <vector>

#include "backend/llama/batch.h"
#include "backend/llama/capacity.h"
#include "backend/llama/context.h"
#include "backend/llama/context_settings.h"
#include "backend/llama/generation_plan.h"
#include "backend/llama/generator.h"
#include "backend/llama/machine.h"
#include "backend/llama/model.h"
#include "backend/llama/schedule.h"

namespace tare::backend::llama {
namespace {

using base::Result;
using base::Status;

/// What an item leaves in the schedule, in the responses and in the files, beside its tokens.
constexpr std::size_t kItemBytes = 1024;

std::size_t result_bytes(std::span<const ScoreItem> items,
                         std::span<const GenerateItem> generations) {
  std::size_t tokens = 0;
  for (const ScoreItem& item : items) tokens += item.tokens.size();
  for (const GenerateItem& item : generations) tokens += item.tokens.size();
  return (items.size() + generations.size()) * kItemBytes + tokens * sizeof(core::Token);
}

std::size_t round_up(std::size_t value, std::size_t step) {
  return (value + step - 1) / step * step;
}

/// Items that share a KV cache.
struct Work {
  CacheNeed need;
  std::vector<std::size_t> scored;  ///< positions; empty of prompts
};

std::vector<Work> works(const Context& context, std::size_t context_length,
                        std::span<const ScoreItem> items,
                        std::span<const GenerateItem> generations) {
  std::vector<Work> works;
  const PrefixTree tree = build_prefix_tree(items, context.cuttable());
  for (CapacityGroup& group : group_by_capacity(tree, items, context.tile()))
    works.push_back({{.capacity = group.capacity}, std::move(group.items)});
  for (const CapacityGroup& group : plan_generation(generations, context.tile(), context_length))
    works.push_back({{.capacity = group.capacity, .least_streams = least_streams(context)}, {}});
  return works;
}

/// The most rows of a decode whose logits are computed.
std::size_t most_outputs(const Context& context, const Work& work,
                         std::span<const ScoreItem> items) {
  std::vector<ScoreItem> scored;
  for (const std::size_t i : work.scored) scored.push_back(items[i]);
  const PrefixTree tree = build_prefix_tree(scored, context.cuttable());
  Streams streams;
  std::size_t most = kMostSlots;
  for (const Decode& decode : make_schedule(tree, scored, context.shape(), streams, true))
    most = std::max(most, output_rows(decode).size());
  return round_up(most, context.tile());
}

/// Of llama.cpp's memory for logits only the rows that are used become resident. There are two such
/// places: the logits themselves, and the end of the graph that computes them.
MemoryNeed used_part(const Context& context, std::size_t outputs) {
  const ContextMemory memory = context.memory();
  const std::size_t row = memory.logits / context.shape().outputs;
  const std::size_t unused = memory.logits - std::min(memory.logits, outputs * row);
  MemoryNeed need;
  need.weights = context.repacked_bytes();
  need.cache = memory.cache;
  need.compute = memory.compute - std::min(memory.compute, unused);
  need.logits = memory.logits - unused;
  return need;
}

Result<MemoryNeed> largest_need(Context& context, std::span<const Work> works,
                                std::span<const ScoreItem> items) {
  const Work* largest = nullptr;
  std::size_t most = 0;
  for (const Work& work : works) {
    TARE_CHECK(context.prepare(work.need));
    const ContextMemory memory = context.memory();
    if (memory.cache + memory.compute <= most) continue;
    most = memory.cache + memory.compute;
    largest = &work;
  }
  if (largest == nullptr) return MemoryNeed{};
  TARE_CHECK(context.prepare(largest->need));
  return used_part(context, most_outputs(context, *largest, items));
}

}  // namespace

Result<MemoryNeed> estimate_memory(const Options& options, std::span<const ScoreItem> items,
                                   std::span<const GenerateItem> generations) {
  const std::size_t available = available_memory(), program = resident_memory();
  TARE_TRY(const TierChoice choice, choose_tier(options.cpu_tier, options.prober, options.cache));
  TARE_CHECK(load_libraries(choice.tier, options.gpu_layers > 0));
  TARE_TRY(const ModelPtr model, load_outline(options.path, options.gpu_layers));
  const std::size_t length = options.context_length != 0
                                 ? options.context_length
                                 : static_cast<std::size_t>(llama_model_n_ctx_train(model.get()));
  Context context(model.get(), context_settings(options));
  TARE_TRY(MemoryNeed need,
           largest_need(context, works(context, length, items, generations), items));
  need.weights += static_cast<std::size_t>(std::filesystem::file_size(options.path));
  need.results = result_bytes(items, generations);
  need.program = program;
  need.available = available;
  return need;
}

Status check_weights_fit(const std::filesystem::path& path, std::size_t weights,
                         std::size_t available) {
  if (available == 0 || weights <= available) return {};
  return base::work_failed(
      fmt::format("model {}: its weights need {} MiB of memory, {} MiB are free; wanted a file in "
                  "a smaller number format (tare quantize), or more memory",
                  path.string(), weights >> 20, available >> 20));
}

}  // namespace tare::backend::llama
