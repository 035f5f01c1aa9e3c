#include "store/read_answers.h"

#include <charconv>
#include <cmath>
#include <limits>
#include <optional>

#include "store/fields.h"
#include "store/run_block.h"
#include "store/sample_lines.h"

namespace tare::store {
namespace {

namespace lm_eval = fields::lm_eval;
using base::Value;

/// An answer's leaves in a row: a text alone, or a log-likelihood and whether it is the argmax.
std::vector<std::string> leaves_of(const Value& answer) {
  if (answer.is_string()) return {answer.as_string()};
  std::vector<std::string> leaves;
  if (answer.is_list())
    for (const Value& leaf : answer.items()) leaves.push_back(text_of(leaf));
  return leaves;
}

/// Of each request its answers.
std::vector<std::vector<std::vector<std::string>>> responses_of(const Value& line) {
  std::vector<std::vector<std::vector<std::string>>> all;
  const Value requests = entry(line, lm_eval::kResps);
  if (!requests.is_list()) return all;
  for (const Value& request : requests.items()) {
    auto& answers = all.emplace_back();
    if (!request.is_list()) continue;
    for (const Value& answer : request.items()) answers.push_back(leaves_of(answer));
  }
  return all;
}

/// −∞ for what is no number, so that it is never the likeliest.
double number_of(const std::string& text) {
  double number = -std::numeric_limits<double>::infinity();
  std::from_chars(text.data(), text.data() + text.size(), number);
  return std::isnan(number) ? -std::numeric_limits<double>::infinity() : number;
}

std::string likeliest(const std::vector<std::vector<std::vector<std::string>>>& responses) {
  std::size_t best = 0;
  double most = -std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < responses.size(); ++i) {
    if (responses[i].empty() || responses[i].front().empty()) continue;
    const double value = number_of(responses[i].front().front());
    if (value <= most) continue;
    most = value;
    best = i;
  }
  return std::to_string(best);
}

std::string left_by_filter(const Value& line) {
  const Value left = entry(line, lm_eval::kFilteredResps);
  return left.is_list() && !left.items().empty() ? text_of(left.items().front()) : "";
}

void read_responses(const Value& line, SampledAnswer& answer) {
  const auto responses = responses_of(line);
  for (const auto& request : responses)
    for (const auto& leaves : request)
      if (!leaves.empty()) answer.outputs.push_back(leaves.front());
  if (answer.generated)
    answer.chosen = left_by_filter(line);
  else if (responses.size() > 1)
    answer.chosen = likeliest(responses);
  else if (!responses.empty() && !responses[0].empty() && responses[0][0].size() > 1)
    answer.chosen = responses[0][0][1];
}

void read_first_request(const Value& line, SampledAnswer& answer) {
  const Value arguments = entry(line, lm_eval::kArguments);
  if (!arguments.is_dict() || arguments.as_dict().size() == 0) return;
  const Value& first = arguments.as_dict().begin()->second;
  answer.prompt = text_of(entry(first, lm_eval::kContextArgument));
  // The settings of generation stand where a continuation would.
  answer.generated = entry(first, lm_eval::kContinuationArgument).is_dict();
}

}  // namespace

std::optional<SampledAnswer> answer_of(const Value& line) {
  const Value id = entry(line, lm_eval::kDocId);
  if (!id.is_int() || !entry(line, lm_eval::kMetrics).is_list()) return std::nullopt;
  SampledAnswer answer;
  answer.doc_id = id.as_int();
  answer.filter = text_of(entry(line, lm_eval::kFilter));
  answer.document_hash = text_of(entry(line, lm_eval::kDocHash));
  answer.prompt_hash = text_of(entry(line, lm_eval::kPromptHash));
  answer.target_hash = text_of(entry(line, lm_eval::kTargetHash));
  answer.target = text_of(entry(line, lm_eval::kTarget));
  read_first_request(line, answer);
  read_responses(line, answer);
  answer.metrics = metrics_of(line);
  answer.failure = failure_of(line);
  return answer;
}

base::Result<std::vector<SampledAnswer>> read_answers(const RunFiles& files,
                                                      const std::string& task) {
  return samples_as<SampledAnswer>(files, task, answer_of);
}

base::Result<std::vector<SampledAnswer>> read_scored_answers(const RunFiles& files,
                                                             const std::string& task) {
  return samples_as<SampledAnswer>(files, task, [](const Value& line) {
    auto answer = answer_of(line);
    if (!answer) return answer;
    answer->prompt = answer->target = std::string();
    answer->outputs = std::vector<std::string>();
    return answer;
  });
}

base::Result<std::optional<SampledAnswer>> find_answer(const RunFiles& files,
                                                       const std::string& task,
                                                       std::int64_t document) {
  std::optional<SampledAnswer> found;
  TARE_CHECK(each_sample(files, task, [&](const Value& line) {
    auto answer = answer_of(line);
    if (!answer) return false;
    if (!found && answer->doc_id == document) found = std::move(answer);
    return true;
  }));
  return found;
}

}  // namespace tare::store
