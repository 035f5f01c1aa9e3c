#include "run/execute.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <optional>
#include <utility>

#include "run/collector.h"
#include "run/workload.h"

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
    TARE_CHECK(collector_.restore(answers_.failed));
    const std::stop_callback forward(hooks_.stop, [this] { stop_.request_stop(); });
    const base::Status asked = ask(backend);
    commit();
    TARE_CHECK(kept_);  // if that failed it is why the work ended
    if (asked) give_up_rest();
    if (answers_.note_failed && !failed_.empty()) TARE_CHECK(answers_.note_failed(failed_));
    TARE_CHECK(asked);
    return collector_.take();
  }

 private:
  base::Status ask(backend::Backend& backend) {
    const std::vector<std::size_t> scored = not_known(plan_.order);
    const std::vector<std::size_t> generated = not_known(plan_.generations);
    work_.emplace(plan_, tasks_, scored, generated);
    if (!backend.capabilities().token_ids) work_->count_bytes();
    report();
    backend::Computed before = backend.computed();
    const auto sink = [&](auto results) {
      const backend::Computed now = backend.computed();
      work_->note_computed({.inputs = now.inputs - before.inputs,
                            .generated = now.generated - before.generated,
                            .places = now.places - before.places,
                            .work = now.work - before.work,
                            .planned = now.planned - before.planned,
                            .projection = now.projection});
      accept(results);
    };
    if (!scored.empty()) TARE_CHECK(backend.score(score_items(scored), sink, stop_.get_token()));
    if (generated.empty()) return {};
    commit();
    work_->begin_generation();
    report();
    before = backend.computed();
    return backend.generate(generate_items(generated), sink, stop_.get_token());
  }

  std::vector<std::size_t> not_known(const std::vector<std::size_t>& order) const {
    std::vector<std::size_t> positions;
    std::ranges::copy_if(order, std::back_inserter(positions),
                         [&](std::size_t i) { return !collector_.settled(i); });
    return positions;
  }

  std::vector<ScoreItem> score_items(const std::vector<std::size_t>& positions) const {
    std::vector<ScoreItem> items;
    items.reserve(positions.size());
    for (const std::size_t i : positions)
      items.push_back({i, plan_.requests[i].tokens, plan_.requests[i].first_scored});
    return items;
  }

  std::vector<GenerateItem> generate_items(const std::vector<std::size_t>& positions) const {
    std::vector<GenerateItem> items;
    items.reserve(positions.size());
    for (const std::size_t i : positions) {
      const plan::EncodedRequest& request = plan_.requests[i];
      items.push_back({i, request.tokens, &tasks_[request.task].generation, request.seed});
    }
    return items;
  }

  template <class Result>
  void accept(std::span<const Result> results) {
    for (const Result& result : results) {
      if (result.value)
        waiting_.push_back({result.id, *result.value});
      else
        give_up(result.id, result.value.error());
    }
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
    report();
  }

  /// Nothing is kept: the question is asked again when the run is resumed.
  void give_up(std::size_t position, const core::RequestFailure& failure) {
    collector_.fail({position, failure});
    work_->fail(position);
    failed_.push_back({position, failure});
  }

  /// What the backend passed over in silence.
  void give_up_rest() {
    for (const auto* order : {&plan_.order, &plan_.generations})
      for (const std::size_t position : not_known(*order))
        failed_.push_back({position, {kNoAnswer}});
  }

  void count(const core::Answered& answered) {
    if (const auto* generated = std::get_if<core::Generated>(&answered.answer))
      work_->finish_generated(answered.position, work_->progress().bytes
                                                     ? generated->text.size()
                                                     : generated->tokens.size());
    else
      work_->finish_scored(answered.position);
  }

  void report() const {
    if (hooks_.progress) hooks_.progress(work_->progress());
  }

  const plan::Plan& plan_;
  std::span<const core::BuiltTask> tasks_;
  const Answers& answers_;
  const Hooks& hooks_;
  Collector collector_;
  std::vector<core::Answered> waiting_;  ///< not durable yet
  std::vector<core::Failed> failed_;
  Clock::time_point committed_{};
  base::Status kept_;
  std::optional<Workload> work_;
  std::stop_source stop_;
};

}  // namespace

base::Result<Responses> execute(const plan::Plan& plan, std::span<const core::BuiltTask> tasks,
                                backend::Backend& backend, const Answers& answers,
                                const Hooks& hooks) {
  return Execution(plan, tasks, answers, hooks).run(backend);
}

}  // namespace tare::run
