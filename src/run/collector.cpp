#include "run/collector.h"

#include <fmt/format.h>

#include <numeric>

#include "run/answer.h"

namespace tare::run {

using plan::EncodedRequest;

Collector::Collector(const plan::Plan& plan, std::span<const core::BuiltTask> tasks)
    : plan_(plan), tasks_(tasks), settled_(plan.requests.size()) {
  for (const core::BuiltTask& task : tasks)
    responses_.emplace_back(task.requests.size() * task.repeats);
  for (const EncodedRequest& request : plan.requests) prepare(request);
}

base::Status Collector::restore(std::span<const core::Answered> known) {
  for (const core::Answered& answered : known) {
    const bool there = answered.position < plan_.requests.size();
    const bool generated = std::holds_alternative<core::Generated>(answered.answer);
    if (!there || plan_.requests[answered.position].generates() != generated)
      return base::input_error(
          fmt::format("recorded answer {}: is none to what the plan asks there; remove the record",
                      answered.position));
    put(answered);
  }
  return {};
}

base::Status Collector::restore(std::span<const core::Failed> failures) {
  for (const core::Failed& failed : failures) {
    if (failed.position >= plan_.requests.size())
      return base::input_error(
          fmt::format("recorded failure {}: is of nothing that the plan asks; remove the record",
                      failed.position));
    fail(failed);
  }
  return {};
}

void Collector::put(const core::Answered& answered) {
  const EncodedRequest& request = plan_.requests[answered.position];
  settled_[answered.position] = true;
  std::visit([&](const auto& answer) { put(request, answer); }, answered.answer);
}

void Collector::fail(const core::Failed& failed) {
  settled_[failed.position] = true;
  for (core::Response& response : places(plan_.requests[failed.position]))
    response.outcome = failed.failure;
}

/// The responses that a result stands for: one repetition where answers vary, else all.
std::span<core::Response> Collector::places(const EncodedRequest& request) {
  const core::BuiltTask& task = tasks_[request.task];
  const std::span all(responses_[request.task]);
  const std::size_t first = request.request * task.repeats;
  if (core::answers_vary(task.generation)) return all.subspan(first + request.repetition, 1);
  return all.subspan(first, task.repeats);
}

void Collector::prepare(const EncodedRequest& request) {
  for (core::Response& response : places(request)) {
    const bool first = request.window == 0;
    const std::size_t scored = request.tokens.size() - request.first_scored;
    if (first) response.context_tokens = request.first_scored;
    response.continuation_tokens += scored;
    response.truncated_tokens += request.truncated;
    const auto begin =
        request.tokens.end() - static_cast<std::ptrdiff_t>(first ? request.tokens.size() : scored);
    response.tokens.insert(response.tokens.end(), begin, request.tokens.end());
    response.outcome =
        core::RequestFailure{request.skipped ? "longer than the model's context" : kNoAnswer};
    if (request.windows == 0) response.outcome = core::LogLikelihood{};
  }
}

void Collector::put(const EncodedRequest& request, const core::LogLikelihood& answer) {
  if (request.windows != 1) return put_window(request, answer.sum);
  for (core::Response& response : places(request)) response.outcome = answer;
}

void Collector::put(const EncodedRequest& request, const core::Generated& answer) {
  const core::GenerationSettings& settings = tasks_[request.task].generation;
  for (core::Response& response : places(request)) {
    response.outcome = answer;
    response.answer = answer_text(answer.text, settings.until, settings.think_end);
  }
}

void Collector::put_window(const EncodedRequest& request, double sum) {
  Windows& windows = windows_[{request.task, request.request}];
  if (windows.sums.empty()) {
    windows.sums.resize(request.windows);
    windows.missing = request.windows;
  }
  windows.sums[request.window] = sum;
  if (--windows.missing > 0) return;
  const double total = std::accumulate(windows.sums.begin(), windows.sums.end(), 0.0);
  for (core::Response& response : places(request))
    response.outcome = core::LogLikelihood{total, false};
  windows_.erase({request.task, request.request});
}

}  // namespace tare::run
