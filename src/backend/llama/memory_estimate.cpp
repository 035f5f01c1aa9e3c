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
#include "backend/llama/probe.h"
#include "backend/llama/probe_work.h"
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
  if (work.scored.empty()) return round_up(kMostSlots, context.tile());
  std::vector<ScoreItem> scored;
  for (const std::size_t i : work.scored) scored.push_back(items[i]);
  const PrefixTree tree = build_prefix_tree(scored, context.cuttable());
  Streams streams;
  std::size_t most = 1;
  for (const Decode& decode :
       make_schedule(tree, scored, context.planned_shape(work.need), streams, true))
    most = std::max(most, output_rows(decode).size());
  return round_up(most, context.tile());
}

std::size_t bytes_of(const ContextMemory& memory) {
  return memory.cache + memory.compute + memory.logits;
}

/// What a context takes for the work that needs most. llama.cpp reserves for as many rows of logits
/// as are allowed, but only those that are used become resident: it is asked for that many.
Result<ContextMemory> most_taken(Context& context, std::span<const Work> works,
                                 std::span<const ScoreItem> items) {
  ContextMemory most;
  for (const Work& work : works) {
    CacheNeed need = work.need;
    need.outputs = most_outputs(context, work, items);
    TARE_CHECK(context.prepare(need));
    ContextMemory memory = context.memory();
    memory.logits = memory.logits / context.shape().outputs * need.outputs;
    if (bytes_of(memory) > bytes_of(most)) most = memory;
  }
  return most;
}

/// Positions of items that share a KV cache as they are, one by one or all.
std::vector<Work> probe_works(const Context& context, std::span<const ScoreItem> items,
                              std::size_t together, const ProbeWork& work) {
  std::size_t longest = 0;
  for (const auto* all : {&work.items, &work.company, &work.answers})
    for (const ScoreItem& item : *all) longest = std::max(longest, item.tokens.size());
  CacheNeed need{.capacity = stream_capacity(longest + context.tile())};
  std::vector<Work> works;
  for (std::size_t i = 0; i < items.size(); i += together) {
    works.push_back({need, {}});
    for (std::size_t k = i; k < i + together; ++k) works.back().scored.push_back(k);
  }
  need.least_streams = least_streams(context);
  if (!work.answers.empty()) works.push_back({need, {}});
  return works;
}

/// Of the two contexts of the probe, which are there at the same time. In small runs this is the
/// most that they take.
Result<ContextMemory> taken_by_probe(llama_model* model, const ContextSettings& settings,
                                     const ProbeWork& work) {
  if (work.items.empty()) return ContextMemory{};
  std::vector<ScoreItem> all = work.items;
  all.insert(all.end(), work.company.begin(), work.company.end());
  Context wide(model, wide_settings(settings, work));
  Context narrow(model, narrow_settings(settings, work));
  TARE_TRY(ContextMemory most, most_taken(wide, probe_works(wide, all, all.size(), work), all));
  TARE_TRY(const ContextMemory other,
           most_taken(narrow, probe_works(narrow, work.items, 1, work), work.items));
  most.cache += other.cache;
  most.compute += other.compute;
  most.logits += other.logits;
  return most;
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
  const ContextSettings settings = context_settings(options);
  Context context(model.get(), settings);
  TARE_TRY(ContextMemory most,
           most_taken(context, works(context, length, items, generations), items));
  if (options.mode == Mode::pinned) {
    const auto answers = context.cuttable() ? generations : std::span<const GenerateItem>();
    TARE_TRY(const ContextMemory probe,
             taken_by_probe(model.get(), settings, make_probe_work(items, answers, {})));
    if (bytes_of(probe) > bytes_of(most)) most = probe;
  }
  MemoryNeed need;
  need.weights = context.repacked_bytes();
  need.cache = most.cache;
  need.compute = most.compute;
  need.logits = most.logits;
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
