#include "cli/token_scores.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <utility>

#include "cli/interrupt.h"
#include "cli/prepare.h"
#include "cli/run_options.h"
#include "store/journal.h"

namespace tare::cli {
namespace {

namespace fs = std::filesystem;
using base::Result;
using base::Status;
using store::ItemAnswer;

/// Answers that are asked for in one call, which share what their contexts share.
constexpr std::size_t kAnswersAtOnce = 1024;

/// The options of a run, as its journal has them; relative paths start in the run's folder of then.
Result<RunOptions> options_of(const store::JournalHeader& header, const store::RunFiles& files) {
  std::error_code absent;
  const fs::path here = fs::current_path();
  fs::current_path(header.folder, absent);
  CLI::App app("", "tare run");
  auto options = read_run_options(app, header.command, ModelNeed::required);
  fs::current_path(here, absent);
  if (!options) return tl::unexpected(options.error());
  if (!*options || (*options)->model.scheme != "gguf")
    return base::input_error(
        fmt::format("--token-logprobs: {} is of {}; wanted runs of gguf: models",
                    files.folder.string(), *options ? (*options)->model.text : "no model"));
  (*options)->model.name = (fs::path(header.folder) / (*options)->model.name).string();
  return std::move(**options);
}

/// True where the tokens are one sequence, of which the last ones were scored.
bool can_be_asked(const ItemAnswer& answer, std::size_t context_length) {
  return answer.log_likelihood && answer.greedy && answer.continuation > 0 &&
         answer.continuation < answer.tokens.size() && answer.tokens.size() <= context_length;
}

}  // namespace

Result<TokenScores> TokenScores::open(const store::RunFiles& files) {
  TARE_TRY(const store::Journal journal, store::Journal::open_existing(files.folder));
  TARE_TRY(const RunOptions options, options_of(journal.header(), files));
  TARE_CHECK(check_model(options));
  TARE_TRY(OpenedBackend opened, open_backend(options));
  return TokenScores(std::move(opened.backend));
}

Status TokenScores::ask(std::vector<ItemAnswer*> answers) {
  std::vector<backend::ScoreItem> items;
  std::vector<double*> places;
  for (ItemAnswer* answer : answers) {
    answer->log_probabilities.resize(answer->continuation);
    const std::size_t first = answer->tokens.size() - answer->continuation;
    for (std::size_t i = 0; i < answer->continuation; ++i) {
      const auto end = answer->tokens.begin() + static_cast<std::ptrdiff_t>(first + i + 1);
      items.push_back({places.size(), {answer->tokens.begin(), end}, first + i});
      places.push_back(&answer->log_probabilities[i]);
    }
  }
  std::string failure;
  InterruptGuard interrupt;
  TARE_CHECK(backend_->score(
      items,
      [&](std::span<const backend::ScoreResult> results) {
        for (const backend::ScoreResult& result : results)
          if (result.value)
            *places[result.id] = result.value->sum;
          else
            failure = result.value.error().reason;
      },
      interrupt.token()));
  if (failure.empty()) return {};
  return base::work_failed(fmt::format("--token-logprobs: a token has no answer: {}", failure));
}

Status TokenScores::add_to(std::vector<store::SampledItem>& items) {
  const std::size_t context_length = backend_->capabilities().context_length;
  std::vector<ItemAnswer*> answers;
  for (store::SampledItem& item : items)
    for (store::ItemRequest& request : item.requests)
      for (ItemAnswer& answer : request.answers) {
        if (!can_be_asked(answer, context_length)) continue;
        answers.push_back(&answer);
        if (answers.size() == kAnswersAtOnce) TARE_CHECK(ask(std::exchange(answers, {})));
      }
  return answers.empty() ? Status() : ask(std::move(answers));
}

}  // namespace tare::cli
