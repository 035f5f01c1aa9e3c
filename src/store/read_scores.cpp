#include "store/read_scores.h"

#include <optional>

#include "store/fields.h"
#include "store/run_block.h"
#include "store/sample_lines.h"

namespace tare::store {
namespace {

namespace lm_eval = fields::lm_eval;
using base::Value;

std::optional<std::string> answer_of(const Value& filtered) {
  if (!filtered.is_list() || filtered.items().size() != 1) return std::nullopt;
  const Value& only = filtered.items()[0];
  return only.is_string() ? std::optional(only.as_string()) : std::nullopt;
}

std::optional<SampledScore> score_of(const Value& line) {
  const Value id = entry(line, lm_eval::kDocId);
  if (!id.is_int() || !entry(line, lm_eval::kMetrics).is_list()) return std::nullopt;
  SampledScore score;
  score.doc_id = id.as_int();
  score.filter = text_of(entry(line, lm_eval::kFilter));
  score.document = entry(line, lm_eval::kDoc);
  score.document_hash = text_of(entry(line, lm_eval::kDocHash));
  score.metrics = metrics_of(line);
  score.answer = answer_of(entry(line, lm_eval::kFilteredResps));
  const Value block = entry(line, fields::kTare);
  score.subtask = text_of(entry(block, fields::sample::kSubtask));
  score.failure = failure_of(line);
  return score;
}

}  // namespace

base::Result<std::vector<SampledScore>> read_scores(const RunFiles& files,
                                                    const std::string& task) {
  return samples_as<SampledScore>(files, task, score_of);
}

}  // namespace tare::store
