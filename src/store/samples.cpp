#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <span>

#include "base/json.h"
#include "base/python.h"
#include "store/fields.h"
#include "store/hashes.h"
#include "store/outcome.h"
#include "store/results.h"

namespace tare::store {
namespace {

namespace lm_eval = fields::lm_eval;
using base::Dict;
using base::List;
using base::Value;
using core::Response;

/// One document of a task with what was asked and answered about it, as one filter left it.
struct Sample {
  const core::TaskRecord& task;
  const core::FilterScore& score;
  std::size_t document = 0;
  core::Range range;
  [[nodiscard]] std::span<const core::Request> requests() const {
    return std::span(task.task.requests).subspan(range.first, range.size());
  }
  [[nodiscard]] std::span<const Response> responses() const {
    const std::size_t repeats = task.task.repeats;
    return std::span(task.responses).subspan(range.first * repeats, range.size() * repeats);
  }
};

Value arguments(const Sample& sample) {
  Dict all;
  for (const core::Request& request : sample.requests()) {
    Dict one;
    switch (sample.task.task.output_type) {
      case core::OutputType::loglikelihood_rolling:
        one.set(lm_eval::kContextArgument, request.continuation);
        break;
      case core::OutputType::generate_until:
        one.set(lm_eval::kContextArgument, request.context);
        one.set(lm_eval::kContinuationArgument, sample.task.task.generation_arguments);
        break;
      default:
        one.set(lm_eval::kContextArgument, request.context);
        one.set(lm_eval::kContinuationArgument, request.continuation);
    }
    all.set(fmt::format("{}{}", lm_eval::kRequestPrefix, all.size()), std::move(one));
  }
  return all;
}

/// lm-eval writes each leaf of a response as its str().
Value as_texts(const Value& value) {
  if (value.is_sequence()) {
    List texts;
    for (const Value& item : value.items()) texts.push_back(as_texts(item));
    return texts;
  }
  return base::python::str(value);
}

/// A request without an answer, which lm-eval does not know, reads as "nan" or as no text, so that
/// no reader takes it for a score.
Value response_value(const core::BuiltTask& task, const Response& response) {
  if (task.output_type == core::OutputType::generate_until) return response.answer;
  const auto* found = std::get_if<core::LogLikelihood>(&response.outcome);
  const double sum = found ? found->sum : std::numeric_limits<double>::quiet_NaN();
  if (task.output_type == core::OutputType::loglikelihood_rolling) return sum;
  return List{sum, found != nullptr && found->greedy};
}

/// Of each request the list of its repetitions.
Value response_texts(const Sample& sample) {
  const std::size_t repeats = sample.task.task.repeats;
  List all;
  for (std::size_t i = 0; i < sample.range.size(); ++i) {
    List repetitions;
    for (const Response& response : sample.responses().subspan(i * repeats, repeats))
      repetitions.push_back(as_texts(response_value(sample.task.task, response)));
    all.emplace_back(std::move(repetitions));
  }
  return all;
}

Value filtered_texts(const Sample& sample) {
  const bool failed = sample.score.documents[sample.document].failed;
  List all;
  for (std::size_t i = sample.range.first; i < sample.range.last; ++i) {
    const Response& first = sample.task.responses[i * sample.task.task.repeats];
    all.push_back(
        as_texts(failed ? response_value(sample.task.task, first) : sample.score.responses[i]));
  }
  return all;
}

/// Tokens that all requests of a document have in common at the start of their contexts.
std::size_t shared_context(std::span<const Response> responses) {
  if (responses.empty()) return 0;
  const Response& first = responses.front();
  std::size_t shared = std::min(first.context_tokens, first.tokens.size());
  for (const Response& other : responses) {
    const std::size_t limit = std::min({shared, other.context_tokens, other.tokens.size()});
    const auto [mine, theirs] = std::mismatch(
        first.tokens.begin(), first.tokens.begin() + static_cast<std::ptrdiff_t>(limit),
        other.tokens.begin());
    shared = static_cast<std::size_t>(mine - first.tokens.begin());
  }
  return shared;
}

Value token_list(std::span<const core::Token> tokens) {
  return List(tokens.begin(), tokens.end());
}

/// Null where they stand for bytes.
Value token_value(const Sample& sample, std::span<const core::Token> tokens) {
  return sample.task.token_ids ? token_list(tokens) : Value();
}

Value response_details(const Sample& sample, const Response& response, std::size_t shared) {
  Dict details;
  set_outcome(details, response, sample.task.token_ids);
  details.set(fields::sample::kTokens,
              token_value(sample, std::span(response.tokens).subspan(shared)));
  return details;
}

Value own_block(const Sample& sample) {
  const auto responses = sample.responses();
  const std::size_t shared = shared_context(responses);
  List details;
  for (const Response& response : responses)
    details.push_back(response_details(sample, response, shared));
  Dict block;
  block.set(fields::kSchemaVersion, fields::kSamplesVersion);
  const std::string& failure = sample.score.documents[sample.document].failure;
  if (!failure.empty()) block.set(fields::kFailure, failure);
  const auto& subtasks = sample.task.task.subtasks;
  if (!subtasks.empty()) block.set(fields::sample::kSubtask, subtasks[sample.document]);
  block.set(fields::sample::kSharedContext,
            responses.empty()
                ? List{}
                : token_value(sample, std::span(responses.front().tokens).first(shared)));
  block.set(fields::sample::kResponses, std::move(details));
  return block;
}

Value sample_line(const Sample& sample) {
  const core::BuiltTask& task = sample.task.task;
  const core::DocumentScore& score = sample.score.documents[sample.document];
  const DocumentHashes hashes = hash_document(task, sample.document, sample.range);
  List names;
  for (const auto& [name, value] : score.metrics) names.emplace_back(name);

  Dict line;
  line.set(lm_eval::kDocId, task.doc_ids[sample.document]);
  line.set(lm_eval::kDoc, task.documents[sample.document]);
  line.set(lm_eval::kTarget, base::python::str(task.golds[sample.document].target));
  line.set(lm_eval::kArguments, arguments(sample));
  line.set(lm_eval::kResps, response_texts(sample));
  line.set(lm_eval::kFilteredResps, filtered_texts(sample));
  line.set(lm_eval::kFilter, sample.score.filter);
  line.set(lm_eval::kMetrics, std::move(names));
  line.set(lm_eval::kDocHash, hashes.document);
  line.set(lm_eval::kPromptHash, hashes.prompt);
  line.set(lm_eval::kTargetHash, hashes.target);
  for (const auto& [name, value] : score.metrics) line.set(name, value);
  line.set(fields::kTare, own_block(sample));
  return line;
}

}  // namespace

std::string samples_jsonl(const core::TaskRecord& task) {
  std::string lines;
  const auto ranges = core::request_ranges(task.task);
  for (const core::FilterScore& score : task.score.filters)
    for (std::size_t i = 0; i < ranges.size(); ++i)
      lines += base::json::dump(sample_line({task, score, i, ranges[i]})) + "\n";
  return lines;
}

}  // namespace tare::store
