#include "cli/planned.h"

#include <algorithm>
#include <utility>

#include "backend/llama/memory_estimate.h"
#include "backend/llama/tokenizer_file.h"
#include "cli/capability_check.h"
#include "cli/llama_options.h"
#include "cli/worker_backends.h"

namespace tare::cli {
namespace {

namespace llama = backend::llama;
using base::Result;

std::size_t context_length(const RunOptions& options, std::size_t known) {
  for (const auto& [name, value] : options.model.arguments)
    if (name == "max_length") return std::stoull(value);
  return known;
}

/// Requests that are too long are counted here, whatever a run does with them.
base::Status count_tokens(Planned& planned, std::size_t context_length) {
  const plan::EncodeOptions encoding{context_length, plan::Overlength::skip, 0};
  TARE_TRY(auto encoded, plan::encode_requests(planned.tasks, *planned.tokenizer, encoding));
  planned.plan = plan::make_plan(std::move(encoded));
  if (planned.shard) planned.plan = plan::shard(std::move(planned.plan), *planned.shard);
  planned.savings = plan::savings(planned.plan, planned.tasks.size());
  store::PlannedTokens tokens;
  tokens.requested = planned.plan.tokens.requested;
  tokens.unique = planned.plan.tokens.unique;
  tokens.longest = planned.plan.longest;
  tokens.context_length = context_length;
  tokens.overlong = static_cast<std::size_t>(
      std::ranges::count(planned.plan.requests, true, &plan::EncodedRequest::skipped));
  for (const plan::Savings& task : planned.savings)
    tokens.by_task.push_back({task.requested, task.unique});
  planned.tokens = std::move(tokens);
  return {};
}

Result<store::PlannedMemory> memory_of(const Planned& planned, const RunOptions& options) {
  TARE_TRY(const llama::Options settings, llama_options(options));
  std::vector<backend::ScoreItem> items;
  std::vector<backend::GenerateItem> generations;
  const plan::Plan& plan = planned.plan;
  for (const std::size_t i : plan.order)
    items.push_back({i, plan.requests[i].tokens, plan.requests[i].first_scored});
  for (const std::size_t i : plan.generations)
    generations.push_back({i, plan.requests[i].tokens,
                           &planned.tasks[plan.requests[i].task].generation,
                           plan.requests[i].seed});
  TARE_TRY(const llama::MemoryNeed need, llama::estimate_memory(settings, items, generations));
  return store::PlannedMemory{.weights = need.weights,
                              .kv_cache = need.cache,
                              .compute = need.compute,
                              .logits = need.logits,
                              .program = need.program + need.results,
                              .total = need.total(),
                              .available = need.available};
}

}  // namespace

Result<Planned> plan_tasks(std::vector<core::BuiltTask> tasks, const RunOptions& options) {
  Planned planned;
  planned.tasks = std::move(tasks);
  planned.shard = options.shard;
  if (options.model.scheme.empty()) return planned;
  if (options.model.scheme == "gguf") {
    TARE_TRY(auto file, llama::open_tokenizer(options.model.name));
    const auto kept = std::make_shared<llama::TokenizerFile>(std::move(file));
    planned.tokenizer = {kept, kept->tokenizer.get()};
    TARE_CHECK(count_tokens(planned, context_length(options, kept->context_length)));
    planned.memory = memory_of(planned, options);
    return planned;
  }
  if (is_worker_scheme(options.model.scheme)) {
    TARE_TRY(const backend::python::Options settings, worker_options(options));
    TARE_TRY(auto opened, backend::python::open_tokenizer(settings));
    planned.tokenizer = std::move(opened.tokenizer);
    TARE_CHECK(count_tokens(planned, context_length(options, opened.context_length)));
    return planned;
  }
  TARE_TRY(OpenedBackend opened, open_backend(options));
  const std::shared_ptr<backend::Backend> kept = std::move(opened.backend);
  planned.tokenizer = {kept, &kept->tokenizer()};
  planned.token_ids = kept->capabilities().token_ids;
  planned.chat_messages = kept->capabilities().chat_messages;
  TARE_CHECK(check_capabilities(planned.tasks, *kept, options));
  planned.warnings = capability_warnings(planned.tasks, *kept, options);
  TARE_CHECK(count_tokens(planned, countable_context(kept->capabilities())));
  return planned;
}

}  // namespace tare::cli
