#include "run/execute.h"

#include <chrono>
#include <utility>

#include "run/collector.h"

namespace tare::run {
namespace {

using backend::GenerateItem;
using backend::GenerateResult;
using backend::ScoreItem;
using backend::ScoreResult;
using Clock = std::chrono::steady_clock;

/// Waiting for the disk takes milliseconds: fast answers wait for each other this long.
constexpr std::chrono::milliseconds kBetweenCommits{100};

/// One pass over what is not known yet.
class Execution {
 public:
  Execution(const plan::Plan& plan, std::span<const core::BuiltTask> tasks, const Answers& answers,
            const Hooks& hooks)
      : plan_(plan), tasks_(tasks), answers_(answers), hooks_(hooks), collector_(plan, tasks) {}

  base::Result<Responses> run(backend::Backend& backend) {
    TARE_CHECK(collector_.restore(answers_.known));
    const std::stop_callback forward(hooks_.stop, [this] { stop_.request_stop(); });
    const base::Status asked = ask(backend);
    commit();
    TARE_CHECK(kept_);  // if that failed it is why the work ended
    TARE_CHECK(asked);
    return collector_.take();
  }

 private:
  base::Status ask(backend::Backend& backend) {
    const std::vector<ScoreItem> scored = score_items();
    const std::vector<GenerateItem> generated = generate_items();
    progress_.requests_total = scored.size() + generated.size();
    const auto sink = [this](auto results) { accept(results); };
    if (!scored.empty()) TARE_CHECK(backend.score(scored, sink, stop_.get_token()));
    if (!generated.empty()) TARE_CHECK(backend.generate(generated, sink, stop_.get_token()));
    return {};
  }

  std::vector<ScoreItem> score_items() {
    std::vector<ScoreItem> items;
    for (const std::size_t i : plan_.order) {
      const plan::EncodedRequest& request = plan_.requests[i];
      if (collector_.has(i)) continue;
      items.push_back({i, request.tokens, request.first_scored});
      progress_.tokens_total += request.inputs();
    }
    return items;
  }

  std::vector<GenerateItem> generate_items() {
    std::vector<GenerateItem> items;
    for (const std::size_t i : plan_.generations) {
      const plan::EncodedRequest& request = plan_.requests[i];
      if (collector_.has(i)) continue;
      items.push_back({i, request.tokens, &tasks_[request.task].generation, request.seed});
      progress_.tokens_total += request.inputs();
    }
    return items;
  }

  template <class Result>
  void accept(std::span<const Result> results) {
    for (const Result& result : results) waiting_.push_back({result.id, result.value});
    if (Clock::now() - committed_ >= kBetweenCommits) commit();
  }

  /// An answer is durable before anything is made of it.
  void commit() {
    if (waiting_.empty() || !kept_) return;
    if (answers_.keep) kept_ = answers_.keep(waiting_);
    if (!kept_) {
      stop_.request_stop();
      return;
    }
    for (const core::Answered& answered : waiting_) {
      collector_.put(answered);
      count(answered);
    }
    waiting_.clear();
    committed_ = Clock::now();
    if (hooks_.progress) hooks_.progress(progress_);
  }

  void count(const core::Answered& answered) {
    progress_.requests_done += 1;
    progress_.tokens_done += plan_.requests[answered.position].inputs();
    if (const auto* generated = std::get_if<core::Generated>(&answered.answer))
      progress_.tokens_generated += generated->tokens.size();
  }

  const plan::Plan& plan_;
  std::span<const core::BuiltTask> tasks_;
  const Answers& answers_;
  const Hooks& hooks_;
  Collector collector_;
  std::vector<core::Answered> waiting_;  ///< not durable yet
  Clock::time_point committed_{};
  base::Status kept_;
  Progress progress_;
  std::stop_source stop_;
};

}  // namespace

base::Result<Responses> execute(const plan::Plan& plan, std::span<const core::BuiltTask> tasks,
                                backend::Backend& backend, const Answers& answers,
                                const Hooks& hooks) {
  return Execution(plan, tasks, answers, hooks).run(backend);
}

}  // namespace tare::run
