#include "score/documents.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/python.h"
#include "score/filters.h"
#include "score/gold.h"

namespace tare::score {
namespace {

using base::List;
using base::Result;
using base::Value;
using core::BuiltTask;
using core::OutputType;
using core::Response;

/// A response as lm-eval's filters see it: (log-likelihood, greedy), a number, or a text.
Value response_value(const BuiltTask& task, const Response& response) {
  if (std::holds_alternative<core::Generated>(response.outcome)) return response.answer;
  const auto& scored = std::get<core::LogLikelihood>(response.outcome);
  if (task.output_type == OutputType::loglikelihood_rolling) return scored.sum;
  return Value::tuple({scored.sum, scored.greedy});
}

/// The requests of all answered documents, in order, with what came back for them.
struct Answered {
  std::vector<std::size_t> requests;
  std::vector<Value> responses;           ///< of each request the list of its repetitions
  std::vector<core::Document> documents;  ///< of each request
};

Answered answered_requests(const BuiltTask& task, std::span<const core::Range> ranges,
                           std::span<const Response> responses) {
  Answered all;
  for (std::size_t document = 0; document < ranges.size(); ++document) {
    if (!answered(task, ranges[document], responses)) continue;
    for (std::size_t i = ranges[document].first; i < ranges[document].last; ++i) {
      List repetitions;
      for (const Response& response : responses.subspan(i * task.repeats, task.repeats))
        repetitions.push_back(response_value(task, response));
      all.requests.push_back(i);
      all.responses.emplace_back(std::move(repetitions));
      all.documents.push_back(task.documents[document]);
    }
  }
  return all;
}

/// Scores the documents of one task, filter by filter.
class DocumentScorer {
 public:
  DocumentScorer(const BuiltTask& task, const Scoring& scoring, core::Functions* functions)
      : task_(task), scoring_(scoring), functions_(functions) {}

  Result<core::DocumentScore> score(std::size_t document, std::span<const Value> results) {
    if (task_.process_results) return by_function(document, results);
    if (task_.output_type == OutputType::generate_until) return by_text(document, results);
    return by_log_likelihood(document, results);
  }

 private:
  using Metrics = std::vector<std::pair<std::string, Value>>;

  static void set(Metrics& metrics, const std::string& name, Value value) {
    const auto same = std::ranges::find(metrics, name, &Metrics::value_type::first);
    if (same == metrics.end()) {
      metrics.emplace_back(name, std::move(value));
    } else {
      same->second = std::move(value);
    }
  }

  Result<core::DocumentScore> by_function(std::size_t document, std::span<const Value> results) {
    const std::array<Value, 2> arguments{task_.documents[document],
                                         List(results.begin(), results.end())};
    TARE_TRY(const Value metrics,
             functions_->call(*task_.process_results, core::FunctionUse::results, arguments));
    if (!metrics.is_dict())
      return base::input_error(fmt::format("process_results gave {}, wanted a dict of metrics",
                                           base::python::repr(metrics)));
    core::DocumentScore score;
    for (const auto& [name, value] : metrics.as_dict())
      set(score.metrics, base::python::str(name), value);
    return score;
  }

  Result<core::DocumentScore> by_log_likelihood(std::size_t document,
                                                std::span<const Value> results) {
    TARE_TRY(const Answers answers, read_answers(document, results));
    core::DocumentScore score;
    for (const Wanted& want : scoring_.metrics)
      if (want.metric != nullptr) set(score.metrics, want.name, want.metric->value(answers));
    return score;
  }

  Result<Answers> read_answers(std::size_t document, std::span<const Value> results) const {
    Answers answers;
    for (const Value& result : results) {
      const bool pair = result.is_tuple() && result.items().size() == 2;
      if (!pair && !result.is_number())
        return base::input_error(fmt::format(
            "the filter left {}, wanted one log-likelihood a request; end it with take_first",
            base::python::repr(result)));
      answers.log_likelihoods.push_back((pair ? result.items()[0] : result).as_number());
      answers.greedy.push_back(pair && result.items()[1].truthy());
    }
    if (task_.output_type == OutputType::loglikelihood_rolling)
      answers.text = task_.golds[document].target.as_string();
    if (task_.output_type != OutputType::multiple_choice) return answers;
    answers.choices = &task_.golds[document].choices;
    TARE_TRY(answers.gold, gold_choices(task_, document));
    const auto conditional = static_cast<std::ptrdiff_t>(answers.choices->size());
    answers.unconditional.assign(answers.log_likelihoods.begin() + conditional,
                                 answers.log_likelihoods.end());
    answers.log_likelihoods.resize(answers.choices->size());
    return answers;
  }

  Result<core::DocumentScore> by_text(std::size_t document, std::span<const Value> results) {
    const TextAnswer answer = text_answer(task_, document, results.front());
    core::DocumentScore score;
    for (const Wanted& want : scoring_.metrics) {
      if (!want.function) {
        TARE_TRY(Value value, want.text_metric->value(answer, want.arguments));
        set(score.metrics, want.name, std::move(value));
        continue;
      }
      TARE_TRY(const Value value, by_metric_function(want, answer));
      if (value.is_dict()) {
        for (const auto& [name, part] : value.as_dict())
          set(score.metrics, base::python::str(name), part);
      } else {
        set(score.metrics, want.name, value);
      }
    }
    return score;
  }

  Result<Value> call_metric(const Wanted& want, const Value& gold, const Value& result) {
    const std::array<Value, 3> arguments{List{gold}, List{result}, want.arguments};
    return functions_->call(*want.function, core::FunctionUse::metric, arguments);
  }

  /// Of several right answers any that the function calls right counts, as 1.
  Result<Value> by_metric_function(const Wanted& want, const TextAnswer& answer) {
    if (!answer.several) return call_metric(want, answer.gold, answer.result);
    bool any = false;
    for (const Value& gold : answer.gold.items()) {
      TARE_TRY(const Value value, call_metric(want, gold, answer.result));
      const Value* part = value.is_dict() ? value.find(want.name) : &value;
      any = any || (part != nullptr && part->truthy());
    }
    return Value(any ? 1.0 : 0.0);
  }

  const BuiltTask& task_;
  const Scoring& scoring_;
  core::Functions* functions_;
};

}  // namespace

bool answered(const BuiltTask& task, core::Range requests, std::span<const Response> responses) {
  const auto all = responses.subspan(requests.first * task.repeats, requests.size() * task.repeats);
  return std::ranges::none_of(all, [](const Response& response) {
    return std::holds_alternative<core::RequestFailure>(response.outcome);
  });
}

core::FilterScore score_documents(const BuiltTask& task, const Scoring& scoring,
                                  const core::FilterPipeline& pipeline,
                                  std::span<const Response> responses, core::Functions* functions) {
  const auto ranges = core::request_ranges(task);
  Answered asked = answered_requests(task, ranges, responses);
  const auto filtered =
      apply_pipeline(pipeline, std::move(asked.responses), asked.documents, functions);
  core::FilterScore score;
  score.filter = pipeline.name;
  score.responses.resize(task.requests.size());
  for (std::size_t i = 0; filtered && i < asked.requests.size(); ++i)
    score.responses[asked.requests[i]] = (*filtered)[i];
  DocumentScorer scorer(task, scoring, functions);
  for (std::size_t document = 0; document < ranges.size(); ++document) {
    const core::Range& range = ranges[document];
    core::DocumentScore& scored = score.documents.emplace_back();
    scored.failed = !answered(task, range, responses);
    if (scored.failed) continue;
    auto metrics =
        filtered
            ? scorer.score(document, std::span(score.responses).subspan(range.first, range.size()))
            : Result<core::DocumentScore>(tl::unexpect, filtered.error());
    scored = metrics ? std::move(*metrics) : core::DocumentScore{{}, true, metrics.error().text};
  }
  return score;
}

}  // namespace tare::score
