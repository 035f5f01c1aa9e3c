#include "run/execute.h"

#include <fmt/format.h>

#include <map>
#include <numeric>
#include <string>
#include <utility>

#include "run/answer.h"

namespace tare::run {
namespace {

using backend::GenerateItem;
using backend::GenerateResult;
using backend::ScoreItem;
using backend::ScoreResult;

/// Windows of a rolling request that have come in, to be summed in their order.
struct Windows {
  std::vector<double> sums;
  std::size_t missing = 0;
};

/// Where results arrive: puts them in their places, logs them and reports progress.
class Collector {
 public:
  Collector(const plan::Plan& plan, std::span<const core::BuiltTask> tasks,
            store::UnfinishedLog* log, const Hooks& hooks)
      : plan_(plan), tasks_(tasks), log_(log), hooks_(hooks) {
    for (const core::BuiltTask& task : tasks)
      responses_.emplace_back(task.requests.size() * task.repeats);
    progress_.requests_total = plan.order.size() + plan.generations.size();
    progress_.tokens_total = plan.tokens.requested;
    for (const plan::EncodedRequest& request : plan.requests) prepare(request);
  }

  void accept(std::span<const ScoreResult> results) {
    std::vector<store::FinishedResponse> finished;
    for (const ScoreResult& result : results) {
      const plan::EncodedRequest& request = plan_.requests[result.id];
      count(request.tokens.size() - 1);
      if (request.windows != 1) {
        add_window(request, result.value.sum, finished);
      } else {
        put(
            request, [&](core::Response& response) { response.outcome = result.value; }, finished);
      }
    }
    hand_on(finished);
  }

  void accept(std::span<const GenerateResult> results) {
    std::vector<store::FinishedResponse> finished;
    for (const GenerateResult& result : results) {
      const plan::EncodedRequest& request = plan_.requests[result.id];
      const core::GenerationSettings& settings = tasks_[request.task].generation;
      count(request.tokens.size());
      progress_.tokens_generated += result.value.tokens.size();
      const std::string answer = answer_text(result.value.text, settings.until, settings.think_end);
      const auto set = [&](core::Response& response) {
        response.outcome = result.value;
        response.answer = answer;
      };
      put(request, set, finished);
    }
    hand_on(finished);
  }

  /// The first failure to write the log, if any.
  [[nodiscard]] const base::Status& log_status() const { return log_status_; }
  Responses take() { return std::move(responses_); }

 private:
  /// The responses that a result stands for: one repetition where answers are sampled, else all.
  std::span<core::Response> places(const plan::EncodedRequest& request) {
    const core::BuiltTask& task = tasks_[request.task];
    const std::span all(responses_[request.task]);
    const std::size_t first = request.request * task.repeats;
    if (task.generation.sample) return all.subspan(first + request.repetition, 1);
    return all.subspan(first, task.repeats);
  }

  void prepare(const plan::EncodedRequest& request) {
    for (core::Response& response : places(request)) {
      const bool first = request.window == 0;
      const std::size_t scored = request.tokens.size() - request.first_scored;
      if (first) response.context_tokens = request.first_scored;
      response.continuation_tokens += scored;
      response.truncated_tokens += request.truncated;
      const auto begin = request.tokens.end() -
                         static_cast<std::ptrdiff_t>(first ? request.tokens.size() : scored);
      response.tokens.insert(response.tokens.end(), begin, request.tokens.end());
      response.outcome = core::RequestFailure{request.skipped ? "longer than the model's context"
                                                              : "the backend gave no answer"};
      if (request.windows == 0) response.outcome = core::LogLikelihood{};
    }
  }

  void count(std::size_t tokens) {
    progress_.requests_done += 1;
    progress_.tokens_done += tokens;
  }

  template <class Set>
  void put(const plan::EncodedRequest& request, const Set& set,
           std::vector<store::FinishedResponse>& finished) {
    const std::span<core::Response> filled = places(request);
    for (core::Response& response : filled) {
      set(response);
      const auto index = static_cast<std::size_t>(&response - responses_[request.task].data());
      finished.push_back(entry(request, index % tasks_[request.task].repeats, response));
    }
  }

  void add_window(const plan::EncodedRequest& request, double sum,
                  std::vector<store::FinishedResponse>& finished) {
    Windows& windows = windows_[{request.task, request.request}];
    if (windows.sums.empty()) {
      windows.sums.resize(request.windows);
      windows.missing = request.windows;
    }
    windows.sums[request.window] = sum;
    if (--windows.missing > 0) return;
    const double total = std::accumulate(windows.sums.begin(), windows.sums.end(), 0.0);
    const auto set = [&](core::Response& response) {
      response.outcome = core::LogLikelihood{total, false};
    };
    put(request, set, finished);
    windows_.erase({request.task, request.request});
  }

  void hand_on(const std::vector<store::FinishedResponse>& finished) {
    if (log_ != nullptr && log_status_) log_status_ = log_->append(finished);
    if (hooks_.progress) hooks_.progress(progress_);
  }

  [[nodiscard]] store::FinishedResponse entry(const plan::EncodedRequest& request,
                                              std::size_t repetition,
                                              const core::Response& response) const {
    const core::BuiltTask& task = tasks_[request.task];
    const core::Request& question = task.requests[request.request];
    return {task.name, task.doc_ids[question.document], question.index, repetition, response};
  }

  const plan::Plan& plan_;
  std::span<const core::BuiltTask> tasks_;
  store::UnfinishedLog* log_;
  const Hooks& hooks_;
  Responses responses_;
  std::map<std::pair<std::size_t, std::size_t>, Windows> windows_;  ///< by task and request
  Progress progress_;
  base::Status log_status_;
};

std::vector<ScoreItem> score_items(const plan::Plan& plan) {
  std::vector<ScoreItem> items;
  items.reserve(plan.order.size());
  for (const std::size_t i : plan.order)
    items.push_back({i, plan.requests[i].tokens, plan.requests[i].first_scored});
  return items;
}

std::vector<GenerateItem> generate_items(const plan::Plan& plan,
                                         std::span<const core::BuiltTask> tasks) {
  std::vector<GenerateItem> items;
  items.reserve(plan.generations.size());
  for (const std::size_t i : plan.generations) {
    const plan::EncodedRequest& request = plan.requests[i];
    items.push_back({i, request.tokens, &tasks[request.task].generation, request.seed});
  }
  return items;
}

}  // namespace

base::Result<Responses> execute(const plan::Plan& plan, std::span<const core::BuiltTask> tasks,
                                backend::Backend& backend, store::UnfinishedLog* log,
                                const Hooks& hooks) {
  Collector collector(plan, tasks, log, hooks);
  const auto sink = [&](auto results) { collector.accept(results); };
  if (!plan.order.empty()) TARE_CHECK(backend.score(score_items(plan), sink, hooks.stop));
  if (!plan.generations.empty())
    TARE_CHECK(backend.generate(generate_items(plan, tasks), sink, hooks.stop));
  TARE_CHECK(collector.log_status());
  return collector.take();
}

}  // namespace tare::run
