#include "run/execute.h"

#include <fmt/format.h>

#include <optional>
#include <string>

namespace tare::run {
namespace {

using backend::ScoreItem;
using backend::ScoreResult;

/// Where results arrive: puts them in their places, logs them and reports progress.
class Collector {
 public:
  Collector(const plan::Plan& plan, std::span<const core::BuiltTask> tasks,
            store::UnfinishedLog* log, const Hooks& hooks)
      : plan_(plan), tasks_(tasks), log_(log), hooks_(hooks) {
    for (const core::BuiltTask& task : tasks) responses_.emplace_back(task.requests.size());
    progress_.requests_total = plan.order.size();
    progress_.tokens_total = plan.tokens.requested;
    for (const plan::EncodedRequest& request : plan.requests) prepare(request);
  }

  void accept(std::span<const ScoreResult> results) {
    std::vector<store::FinishedResponse> finished;
    for (const ScoreResult& result : results) {
      const plan::EncodedRequest& request = plan_.requests[result.id];
      core::Response& response = responses_[request.task][request.request];
      response.outcome = result.value;
      progress_.requests_done += 1;
      progress_.tokens_done += request.tokens.size() - 1;
      finished.push_back(entry(request, response));
    }
    if (log_ != nullptr && log_status_) log_status_ = log_->append(finished);
    if (hooks_.progress) hooks_.progress(progress_);
  }

  /// The first failure to write the log, if any.
  [[nodiscard]] const base::Status& log_status() const { return log_status_; }
  Responses take() { return std::move(responses_); }

 private:
  void prepare(const plan::EncodedRequest& request) {
    core::Response& response = responses_[request.task][request.request];
    response.context_tokens = request.first_scored;
    response.continuation_tokens = request.tokens.size() - request.first_scored;
    response.truncated_tokens = request.truncated;
    response.tokens = request.tokens;
    response.outcome = core::RequestFailure{request.skipped ? "longer than the model's context"
                                                            : "the backend gave no answer"};
  }

  [[nodiscard]] store::FinishedResponse entry(const plan::EncodedRequest& request,
                                              const core::Response& response) const {
    const core::BuiltTask& task = tasks_[request.task];
    const core::Request& question = task.requests[request.request];
    return {task.name, task.doc_ids[question.document], question.index, response};
  }

  const plan::Plan& plan_;
  std::span<const core::BuiltTask> tasks_;
  store::UnfinishedLog* log_;
  const Hooks& hooks_;
  Responses responses_;
  Progress progress_;
  base::Status log_status_;
};

std::vector<ScoreItem> items_in_order(const plan::Plan& plan) {
  std::vector<ScoreItem> items;
  items.reserve(plan.order.size());
  for (std::size_t i : plan.order)
    items.push_back({i, plan.requests[i].tokens, plan.requests[i].first_scored});
  return items;
}

}  // namespace

base::Result<Responses> execute(const plan::Plan& plan, std::span<const core::BuiltTask> tasks,
                                backend::Backend& backend, store::UnfinishedLog* log,
                                const Hooks& hooks) {
  Collector collector(plan, tasks, log, hooks);
  const auto sink = [&](std::span<const ScoreResult> results) { collector.accept(results); };
  TARE_CHECK(backend.score(items_in_order(plan), sink, hooks.stop));
  TARE_CHECK(collector.log_status());
  return collector.take();
}

}  // namespace tare::run
