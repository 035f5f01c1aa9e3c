#include "score/warnings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <string>

#include "base/unicode.h"
#include "score/gold.h"
#include "score/letter.h"

namespace tare::score {
namespace {

using core::Response;
using core::Warning;

struct Scored {
  const core::BuiltTask& task;
  std::span<const Response> responses;
  const core::TaskScore& score;
};

const core::LogLikelihood* answer(const Response& response) {
  return std::get_if<core::LogLikelihood>(&response.outcome);
}

void add(std::vector<Warning>& warnings, const char* code, std::size_t count, std::string text) {
  if (count > 0) warnings.push_back({code, std::move(text), count});
}

/// "longer than the model's context (2 requests), out of memory (1)", the most frequent first.
std::string failure_reasons(std::span<const Response> responses) {
  std::map<std::string, std::size_t> counts;
  for (const Response& response : responses)
    if (const auto* failure = std::get_if<core::RequestFailure>(&response.outcome))
      ++counts[failure->reason];
  std::vector<std::pair<std::string, std::size_t>> sorted(counts.begin(), counts.end());
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  std::string text;
  for (const auto& [reason, count] : sorted)
    text += fmt::format("{}{} ({} requests)", text.empty() ? "" : ", ", reason, count);
  return text;
}

/// Documents with a request that came back without an answer.
std::size_t unanswered_documents(const Scored& scored) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < scored.task.documents.size(); ++i)
    count += std::any_of(scored.score.filters.begin(), scored.score.filters.end(),
                         [&](const core::FilterScore& filter) {
                           const core::DocumentScore& document = filter.documents[i];
                           return document.failed && document.failure.empty();
                         });
  return count;
}

void add_failed(const Scored& scored, std::vector<Warning>& warnings) {
  const std::size_t failed = unanswered_documents(scored);
  if (failed == 0) return;
  add(warnings, "failed-documents", failed,
      fmt::format("{} of {} documents have no score and are left out of the estimates: {}; remove "
                  "the cause and run again",
                  failed, scored.task.documents.size(), failure_reasons(scored.responses)));
}

/// Answers that a filter, a metric or the task's own scoring could not take.
void add_not_scored(const Scored& scored, std::vector<Warning>& warnings) {
  for (const core::FilterScore& filter : scored.score.filters) {
    std::size_t count = 0, first = 0;
    for (std::size_t i = 0; i < filter.documents.size(); ++i)
      if (!filter.documents[i].failure.empty() && count++ == 0) first = i;
    if (count == 0) continue;
    add(warnings, "not-scored", count,
        fmt::format("filter {}: {} of {} documents could not be scored and are left out of the "
                    "estimates; doc {}: {}",
                    filter.filter, count, filter.documents.size(), scored.task.doc_ids[first],
                    filter.documents[first].failure));
  }
  for (const core::Estimate& estimate : scored.score.estimates)
    if (!estimate.failure.empty())
      add(warnings, "not-aggregated", 1,
          fmt::format("{},{}: could not be aggregated and is NaN: {}", estimate.metric,
                      estimate.filter, estimate.failure));
}

void add_truncated(const Scored& scored, std::vector<Warning>& warnings) {
  const auto count = static_cast<std::size_t>(
      std::count_if(scored.responses.begin(), scored.responses.end(),
                    [](const Response& response) { return response.truncated_tokens > 0; }));
  add(warnings, "truncated-context", count,
      fmt::format("{} of {} requests lost context on the left to fit the model; use fewer few-shot "
                  "examples or a model with a longer context",
                  count, scored.responses.size()));
}

void add_not_a_number(const Scored& scored, std::vector<Warning>& warnings) {
  const auto count = static_cast<std::size_t>(
      std::count_if(scored.responses.begin(), scored.responses.end(), [](const Response& response) {
        const auto* found = answer(response);
        return found != nullptr && std::isnan(found->sum);
      }));
  add(warnings, "nan-log-likelihood", count,
      fmt::format("{} of {} log-likelihoods are NaN, so the estimates mean nothing; the model file "
                  "or the backend is broken",
                  count, scored.responses.size()));
}

/// Whether the first answers to all requests of a document have one log-likelihood.
bool all_alike(const Scored& scored, const core::Range& range) {
  if (range.size() < 2) return false;
  const auto sum_of = [&](std::size_t request) {
    const auto* found = answer(scored.responses[request * scored.task.repeats]);
    return found == nullptr ? std::numeric_limits<double>::quiet_NaN() : found->sum;
  };
  const double first = sum_of(range.first);
  for (std::size_t i = range.first; i < range.last; ++i)
    if (sum_of(i) != first) return false;
  return true;
}

void add_all_alike(const Scored& scored, std::vector<Warning>& warnings) {
  if (scored.task.output_type != core::OutputType::multiple_choice) return;
  const auto ranges = core::request_ranges(scored.task);
  const auto count = static_cast<std::size_t>(
      std::count_if(ranges.begin(), ranges.end(),
                    [&](const core::Range& range) { return all_alike(scored, range); }));
  add(warnings, "all-choices-equal", count,
      fmt::format("{} of {} documents have the same log-likelihood for all choices, a known sign "
                  "of missing log-probabilities; look at their samples and check the backend",
                  count, ranges.size()));
}

void add_gold_out_of_range(const Scored& scored, std::vector<Warning>& warnings) {
  if (scored.task.output_type != core::OutputType::multiple_choice) return;
  if (scored.task.process_results) return;
  std::size_t count = 0;
  for (std::size_t i = 0; i < scored.task.golds.size(); ++i) {
    const auto gold = gold_choices(scored.task, i);
    count += gold && gold->out_of_range() ? 1 : 0;
  }
  add(warnings, "gold-out-of-range", count,
      fmt::format(
          "{} of {} documents have a target outside their choices, which no answer can match; "
          "correct doc_to_target or doc_to_choice",
          count, scored.task.golds.size()));
}

void add_cut_answers(const Scored& scored, std::vector<Warning>& warnings) {
  const auto count = static_cast<std::size_t>(
      std::count_if(scored.responses.begin(), scored.responses.end(), [](const Response& response) {
        const auto* generated = std::get_if<core::Generated>(&response.outcome);
        return generated != nullptr && generated->finish == core::FinishReason::length;
      }));
  add(warnings, "answers-cut", count,
      fmt::format("{} of {} answers ran into the limit of {} new tokens; look at their samples and "
                  "raise max_gen_toks if they are incomplete",
                  count, scored.responses.size(), scored.task.generation.max_tokens));
}

/// What a pipeline leaves of an answer in which it finds nothing; none if it always finds
/// something.
std::optional<base::Value> fallback_of(const core::FilterPipeline& pipeline) {
  for (const core::FilterStep& step : pipeline.steps) {
    if (step.name != "regex" && step.name != "multi_choice_regex") continue;
    const base::Value* given = step.arguments.find("fallback");
    return given == nullptr ? base::Value("[invalid]") : *given;
  }
  return std::nullopt;
}

/// Answers that choice_letter finds no option in, by its reasons.
void add_unparsable(const Scored& scored, std::vector<Warning>& warnings) {
  for (const core::FilterScore& filter : scored.score.filters) {
    std::map<std::string, std::size_t> reasons;
    std::size_t count = 0;
    for (const base::Value& response : filter.responses) {
      if (!response.is_string() || !is_unparsable(response.as_string())) continue;
      ++reasons[response.as_string()];
      ++count;
    }
    std::string text;
    for (const auto& [reason, times] : reasons)
      text += fmt::format("{}{} ({})", text.empty() ? "" : ", ", reason, times);
    add(warnings, "unparsable-answers", count,
        fmt::format("filter {}: {} of {} answers name no option and count as wrong: {}; look at "
                    "their samples",
                    filter.filter, count, filter.responses.size(), text));
  }
}

void add_unparsed(const Scored& scored, std::vector<Warning>& warnings) {
  for (std::size_t i = 0; i < scored.score.filters.size(); ++i) {
    const auto fallback = fallback_of(scored.task.filters[i]);
    if (!fallback) continue;
    const auto& responses = scored.score.filters[i].responses;
    const auto count =
        static_cast<std::size_t>(std::count(responses.begin(), responses.end(), *fallback));
    add(warnings, "unparsed-answers", count,
        fmt::format("filter {}: no answer was found in {} of {} responses; they count as wrong",
                    scored.task.filters[i].name, count, responses.size()));
  }
}

/// Texts with white space at an end count one word more there, as in lm-eval.
void add_extra_words(const Scored& scored, std::vector<Warning>& warnings) {
  if (scored.task.output_type != core::OutputType::loglikelihood_rolling) return;
  if (scored.task.process_results) return;
  const auto count = static_cast<std::size_t>(
      std::count_if(scored.task.golds.begin(), scored.task.golds.end(), [](const core::Gold& gold) {
        const std::string& text = gold.target.as_string();
        return base::unicode::strip(text).size() != text.size();
      }));
  add(warnings, "extra-words", count,
      fmt::format(
          "{} of {} texts begin or end with white space, behind which lm-eval counts an "
          "empty word: word_perplexity comes out lower; strip doc_to_target if that matters",
          count, scored.task.golds.size()));
}

/// A metric of the task's own may well take lists.
bool only_own_metrics(const core::BuiltTask& task) {
  return task.process_results ||
         std::all_of(task.metrics.begin(), task.metrics.end(), [](const core::MetricSpec& metric) {
           return metric.function || metric.name == "bypass";
         });
}

/// Without a step that takes one response a metric sees lists, which few metrics mean.
void add_lists(const Scored& scored, std::vector<Warning>& warnings) {
  if (only_own_metrics(scored.task)) return;
  for (const core::FilterScore& filter : scored.score.filters) {
    const auto count = static_cast<std::size_t>(
        std::count_if(filter.responses.begin(), filter.responses.end(),
                      [](const base::Value& response) { return response.is_list(); }));
    add(warnings, "filter-leaves-lists", count,
        fmt::format("filter {} leaves lists of responses, whose metrics are shares of matching "
                    "responses; end it with take_first if one answer is meant",
                    filter.filter));
  }
}

/// Whether the task means the metric to be over some of its documents: results tell how many stand
/// behind a metric that names its ideal.
bool tells_its_documents(const core::BuiltTask& task, const core::Estimate& estimate) {
  const auto spec = std::ranges::find(task.metrics, estimate.metric, &core::MetricSpec::name);
  return spec != task.metrics.end() && spec->ideal.has_value();
}

/// A task's rows and a group's weights know one number of documents only.
void add_missing_values(const Scored& scored, std::vector<Warning>& warnings) {
  std::size_t most = 0;
  for (const core::Estimate& estimate : scored.score.estimates)
    most = std::max(most, estimate.documents);
  for (const core::Estimate& estimate : scored.score.estimates) {
    if (tells_its_documents(scored.task, estimate)) continue;
    add(warnings, "metric-lacks-documents", most - estimate.documents,
        fmt::format("{},{} is over {} documents, others are over {}; sample_len and a group's "
                    "weights tell the larger number",
                    estimate.metric, estimate.filter, estimate.documents, most));
  }
}

/// A target of another kind than the first document's: lm-eval takes such a text for the list of
/// its characters.
void add_mixed_targets(const Scored& scored, std::vector<Warning>& warnings) {
  const core::BuiltTask& task = scored.task;
  if (task.output_type != core::OutputType::generate_until || !task.multiple_target) return;
  const auto count = static_cast<std::size_t>(
      std::count_if(task.golds.begin(), task.golds.end(),
                    [](const core::Gold& gold) { return !gold.target.is_sequence(); }));
  add(warnings, "mixed-targets", count,
      fmt::format("{} of {} documents have one target where the first has a list; it is taken as "
                  "the one right answer (lm-eval would take its characters)",
                  count, task.golds.size()));
}

void add_undefined(const Scored& scored, std::vector<Warning>& warnings) {
  std::vector<std::string> names;
  for (const core::Estimate& estimate : scored.score.estimates)
    if (std::isnan(estimate.value)) names.push_back(estimate.metric);
  add(warnings, "undefined-estimate", names.size(),
      fmt::format("not defined for these answers and reported as NaN: {}; look at the samples",
                  fmt::join(names, ", ")));
}

}  // namespace

std::vector<Warning> task_warnings(const core::BuiltTask& task, std::span<const Response> responses,
                                   const core::TaskScore& score) {
  const Scored scored{task, responses, score};
  std::vector<Warning> warnings;
  add_failed(scored, warnings);
  add_not_scored(scored, warnings);
  add_not_a_number(scored, warnings);
  add_all_alike(scored, warnings);
  add_truncated(scored, warnings);
  add_cut_answers(scored, warnings);
  add_unparsed(scored, warnings);
  add_unparsable(scored, warnings);
  add_mixed_targets(scored, warnings);
  add_lists(scored, warnings);
  add_extra_words(scored, warnings);
  add_missing_values(scored, warnings);
  add_gold_out_of_range(scored, warnings);
  add_undefined(scored, warnings);
  return warnings;
}

}  // namespace tare::score
