#include "cli/study_worker.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <csignal>

#include "base/json.h"
#include "base/process_peer.h"
#include "cli/install_paths.h"
#include "cli/run_options.h"
#include "cli/run_session.h"
#include "cli/shared_backend.h"

namespace tare::cli {
namespace {

using base::Value;

constexpr const char* kCode = "code";
constexpr const char* kReason = "reason";
constexpr std::size_t kLongestAnswer = 1 << 20;
/// A cell takes as long as it takes.
constexpr std::chrono::hours kAnyTime{24 * 365};

std::string answer_text(ExitCode code, const std::string& reason) {
  base::Dict answer;
  answer.set(kCode, static_cast<int>(code));
  answer.set(kReason, reason);
  return base::json::dump(answer);
}

std::string run_one(std::vector<std::string> words, KeptBackend& kept) {
  CLI::App app("", "tare run");
  auto options = read_run_options(app, words, ModelNeed::required);
  if (!options) return answer_text(exit_code(options.error()), options.error().text);
  if (!*options) return answer_text(kWrongInput, "the words of the run ask for help");
  Session session(**options, std::move(words));
  session.resident = true;
  const auto code = run_whole(session, [&](const RunOptions& run) { return kept.open(run); });
  // A model whose shapes were narrowed for this run's questions would compute the next one's so
  // too.
  if (!code || session.record.invariance.attempts.size() > 1) kept.close();
  return code ? answer_text(*code, "") : answer_text(exit_code(code.error()), code.error().text);
}

std::vector<std::string> words_of(const std::string& line) {
  std::vector<std::string> words;
  const auto list = base::json::parse(line);
  if (list && list->is_list())
    for (const Value& word : list->items())
      if (word.is_string()) words.push_back(word.as_string());
  return words;
}

bool has_results(int code) {
  return code == kDone || code == kDoneWithFailures;
}

}  // namespace

ExitCode study_worker() {
  base::ProcessPeer peer;
  // A run that is under way then stops as after Ctrl-C, with all its answers in the journal.
  const base::PeerWatch watch([] { std::raise(SIGTERM); });
  KeptBackend kept;
  while (const auto line = peer.read_line())
    if (!peer.write_line(run_one(words_of(*line), kept))) break;
  return kDone;
}

base::Result<RunOutcome> RunProcess::run(const std::vector<std::string>& words,
                                         const std::stop_token& stop) {
  if (!process_) {
    TARE_TRY(process_, base::Process::start(program(), {kStudyWorker}));
  }
  const Value list = base::List(words.begin(), words.end());
  const auto answer = process_->exchange(base::json::dump(list), {kAnyTime, kLongestAnswer, stop});
  if (!answer) {
    const std::string words_left = process_->last_words();
    process_.reset();
    if (answer.error().kind == base::ErrorKind::interrupted) return tl::unexpected(answer.error());
    return RunOutcome{kWorkFailed,
                      fmt::format("the process of the run died: {}{}{}", answer.error().text,
                                  words_left.empty() ? "" : "; its last words: ", words_left)};
  }
  const auto told = base::json::parse(*answer);
  const Value* code = told ? told->find(kCode) : nullptr;
  if (code == nullptr || !code->is_int())
    return base::work_failed("the process of the runs answered nonsense: " + *answer);
  RunOutcome outcome{static_cast<ExitCode>(code->as_int()), told->find(kReason)->as_string()};
  if (outcome.reason.empty() && !has_results(outcome.code)) outcome.reason = process_->last_words();
  return outcome;
}

}  // namespace tare::cli
