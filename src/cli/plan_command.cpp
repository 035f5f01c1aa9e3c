#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>

#include "backend/llama/tokenizer_file.h"
#include "base/json.h"
#include "cli/command.h"
#include "cli/functions.h"
#include "cli/prepare.h"
#include "cli/prompts.h"
#include "cli/run_options.h"
#include "cli/tell.h"
#include "plan/plan.h"
#include "plan/shard.h"
#include "report/markdown_table.h"
#include "store/planned.h"

namespace tare::cli {
namespace {

using base::Result;
using Tokens = std::optional<store::PlannedTokens>;

/// Requests that are too long are counted here, whatever a run does with them.
Result<store::PlannedTokens> count_tokens(const std::vector<core::BuiltTask>& tasks,
                                          const core::Tokenizer& tokenizer,
                                          std::size_t context_length,
                                          const std::optional<plan::Shard>& shard) {
  const plan::EncodeOptions encoding{context_length, plan::Overlength::skip, 0};
  TARE_TRY(auto encoded, plan::encode_requests(tasks, tokenizer, encoding));
  plan::Plan plan = plan::make_plan(std::move(encoded));
  if (shard) plan = plan::shard(std::move(plan), *shard);
  store::PlannedTokens tokens;
  tokens.requested = plan.tokens.requested;
  tokens.unique = plan.tokens.unique;
  tokens.longest = plan.longest;
  tokens.context_length = context_length;
  tokens.overlong = static_cast<std::size_t>(
      std::ranges::count(plan.requests, true, &plan::EncodedRequest::skipped));
  return tokens;
}

std::size_t context_length(const RunOptions& options, std::size_t known) {
  for (const auto& [name, value] : options.model.arguments)
    if (name == "max_length") return std::stoull(value);
  return known;
}

/// Of a GGUF file the vocabulary alone is read. Without a model there is nothing to count with.
Result<Tokens> tokens_of(const std::vector<core::BuiltTask>& tasks, const RunOptions& options) {
  if (options.model.scheme.empty()) return Tokens();
  if (options.model.scheme == "gguf") {
    TARE_TRY(const auto file, backend::llama::open_tokenizer(options.model.name));
    return count_tokens(tasks, *file.tokenizer, context_length(options, file.context_length),
                        options.shard);
  }
  TARE_TRY(const OpenedBackend opened, open_backend(options));
  return count_tokens(tasks, opened.backend->tokenizer(),
                      opened.backend->capabilities().context_length, options.shard);
}

base::List table_row(const core::BuiltTask& task) {
  return {task.name,
          store::request_type(task.output_type),
          task.documents.size(),
          task.total_documents,
          task.num_fewshot,
          task.requests.size() * task.repeats,
          task.files.size()};
}

std::string tokens_line(const Tokens& tokens, const std::optional<plan::Shard>& shard) {
  if (!tokens) return "tokens: unknown without a model (--model gguf:PATH reads its vocabulary)";
  std::string line = shard ? fmt::format("tokens of shard {}/{}", shard->index, shard->count)
                           : std::string("tokens");
  line += fmt::format(": {} in prompts, {} unique; the longest request has {}", tokens->requested,
                      tokens->unique, tokens->longest);
  if (tokens->context_length != 0) line += fmt::format(" of {} that fit", tokens->context_length);
  if (tokens->overlong != 0)
    line += fmt::format("; {} requests do not fit (--overlength)", tokens->overlong);
  return line;
}

void print_plan(const std::vector<core::BuiltTask>& tasks, const Tokens& tokens,
                const std::optional<plan::Shard>& shard, std::size_t prompts) {
  for (const core::BuiltTask& task : tasks) fmt::print("{}", prompts_text(task, prompts));
  std::vector<base::List> rows;
  for (const core::BuiltTask& task : tasks) rows.push_back(table_row(task));
  fmt::print("{}{}\n",
             report::markdown_table(
                 {"Task", "Request type", "Documents", "Of", "n-shot", "Requests", "Files"}, rows),
             tokens_line(tokens, shard));
}

Result<ExitCode> plan(RunOptions options, std::size_t prompts) {
  TARE_CHECK(open_chat(options.model, options.chat, options.build));
  TARE_CHECK(check_model(options));
  TARE_TRY(const worker::OpenFunctions functions, open_functions(options));
  TARE_TRY(const PreparedTasks prepared, prepare_tasks(options));
  for (const core::Warning& warning : prepared.warnings) tell("tare: warning: {}\n", warning.text);
  TARE_TRY(const Tokens tokens, tokens_of(prepared.tasks, options));
  if (options.json) {
    fmt::print("{}\n", base::json::dump(store::plan_document(options.model.text, prepared.tasks,
                                                             tokens, prompts),
                                        {.indent = 2}));
  } else {
    print_plan(prepared.tasks, tokens, options.shard, prompts);
  }
  return kDone;
}

}  // namespace

ExitCode plan_command(std::vector<std::string> args) {
  CLI::App app("Tells what `tare run` with the same options would do. No weights are loaded.",
               "tare plan");
  std::size_t prompts = 0;
  app.add_option("--show-prompts", prompts, "print the prompts of the first N documents of a task");
  auto options = parse_run_options(app, std::move(args), ModelNeed::optional);
  if (!options) return options.error();
  if (options->write_out) prompts = std::max<std::size_t>(prompts, 1);
  const auto code = plan(std::move(*options), prompts);
  return code ? *code : report(code.error());
}

}  // namespace tare::cli
