#include "store/read_scores.h"

#include <optional>

#include "store/fields.h"
#include "store/run_block.h"
#include "store/sample_lines.h"

namespace tare::store {
namespace {

namespace lm_eval = fields::lm_eval;
using base::Value;

std::string text_of(const Value& value) {
  return value.is_string() ? value.as_string() : "";
}

/// The reason of the document itself, else of its first request without an answer.
std::string failure_of(const Value& block) {
  const Value own = entry(block, fields::kFailure);
  if (own.is_string()) return own.as_string();
  const Value responses = entry(block, fields::sample::kResponses);
  if (!responses.is_list()) return "";
  for (const Value& response : responses.items())
    if (const Value failure = entry(response, fields::kFailure); failure.is_string())
      return failure.as_string();
  return "";
}

std::optional<std::string> answer_of(const Value& filtered) {
  if (!filtered.is_list() || filtered.items().size() != 1) return std::nullopt;
  const Value& only = filtered.items()[0];
  return only.is_string() ? std::optional(only.as_string()) : std::nullopt;
}

std::optional<SampledScore> score_of(const Value& line) {
  const Value id = entry(line, lm_eval::kDocId);
  const Value names = entry(line, lm_eval::kMetrics);
  if (!id.is_int() || !names.is_list()) return std::nullopt;
  SampledScore score;
  score.doc_id = id.as_int();
  score.filter = text_of(entry(line, lm_eval::kFilter));
  score.document = entry(line, lm_eval::kDoc);
  score.document_hash = text_of(entry(line, lm_eval::kDocHash));
  for (const Value& name : names.items())
    if (name.is_string())
      score.metrics.emplace_back(name.as_string(), entry(line, name.as_string().c_str()));
  score.answer = answer_of(entry(line, lm_eval::kFilteredResps));
  const Value block = entry(line, fields::kTare);
  score.subtask = text_of(entry(block, fields::sample::kSubtask));
  score.failure = failure_of(block);
  return score;
}

}  // namespace

base::Result<std::vector<SampledScore>> read_scores(const std::filesystem::path& folder,
                                                    const std::string& task) {
  std::vector<SampledScore> all;
  TARE_CHECK(each_sample(folder, task, [&](const Value& line) {
    auto score = score_of(line);
    if (score) all.push_back(std::move(*score));
    return score.has_value();
  }));
  return all;
}

}  // namespace tare::store
