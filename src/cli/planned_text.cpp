#include <fmt/format.h>

#include <cmath>

#include "cli/expected_time.h"
#include "cli/planned.h"
#include "report/markdown_table.h"

namespace tare::cli {
namespace {

base::List table_row(const core::BuiltTask& task) {
  return {task.name,
          store::request_type(task.output_type),
          task.documents.size(),
          task.total_documents,
          task.num_fewshot,
          task.requests.size() * task.repeats,
          task.files.size()};
}

std::string task_table(const std::vector<core::BuiltTask>& tasks) {
  std::vector<base::List> rows;
  for (const core::BuiltTask& task : tasks) rows.push_back(table_row(task));
  return report::markdown_table(
      {"Task", "Request type", "Documents", "Of", "n-shot", "Requests", "Files"}, rows);
}

base::List savings_row(const std::string& name, const plan::Savings& savings) {
  return {name, savings.requested, savings.unique,
          fmt::format("{} %", std::lround(100 * savings.saved()))};
}

std::string savings_table(const Planned& planned) {
  std::vector<base::List> rows;
  for (std::size_t t = 0; t < planned.tasks.size(); ++t)
    rows.push_back(savings_row(planned.tasks[t].name, planned.savings[t]));
  if (rows.size() > 1)
    rows.push_back(
        savings_row("(all)", {planned.plan.tokens.requested, planned.plan.tokens.unique}));
  return report::markdown_table({"Task", planned.token_ids ? "Tokens" : "Bytes", "Unique", "Saved"},
                                rows);
}

std::string tokens_line(const Planned& planned) {
  const std::optional<store::PlannedTokens>& tokens = planned.tokens;
  const std::optional<plan::Shard>& shard = planned.shard;
  if (!tokens) return "tokens: unknown without a model (--model gguf:PATH reads its vocabulary)";
  std::string line = planned.unit();
  if (shard) line += fmt::format(" of shard {}/{}", shard->index, shard->count);
  line += fmt::format(": {} in prompts, {} unique; the longest request has {}", tokens->requested,
                      tokens->unique, tokens->longest);
  if (tokens->context_length != 0) line += fmt::format(" of {} that fit", tokens->context_length);
  if (tokens->overlong != 0)
    line += fmt::format("; {} requests do not fit (--overlength)", tokens->overlong);
  if (!planned.token_ids) line += "; tokens are unknown, because the backend shows no token ids";
  return line;
}

std::size_t mebibytes(std::size_t bytes) {
  return (bytes + (1U << 19)) >> 20;
}

std::string memory_line(const store::PlannedMemory& memory) {
  std::string line = fmt::format(
      "memory: about {} MiB: weights {}, KV cache {}, decodes {}, logits {}, requests and "
      "program {}",
      mebibytes(memory.total), mebibytes(memory.weights), mebibytes(memory.kv_cache),
      mebibytes(memory.compute), mebibytes(memory.logits), mebibytes(memory.program));
  if (memory.available != 0) line += fmt::format("; {} MiB are free", mebibytes(memory.available));
  if (memory.available != 0 && memory.total > memory.program + memory.available)
    line += ", which is too little";
  return line;
}

}  // namespace

std::string planned_text(const Planned& planned, const RunOptions& options) {
  std::string text = task_table(planned.tasks) + tokens_line(planned) + "\n";
  if (!planned.memory) return text;
  if (const auto& memory = *planned.memory; memory) text += memory_line(*memory) + "\n";
  return text + time_line(planned.plan, planned.tasks, options) + "\n";
}

std::string savings_text(const Planned& planned) {
  return planned.tokens ? savings_table(planned) : "";
}

}  // namespace tare::cli
