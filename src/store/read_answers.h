#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "base/value.h"
#include "store/find_run.h"

namespace tare::store {

/// What a finished run answered to one document, as one filter pipeline took it.
struct SampledAnswer {
  std::int64_t doc_id = 0;
  std::string filter;
  std::string document_hash, prompt_hash, target_hash;
  std::string prompt;  ///< of the first request
  std::string target;
  bool generated = false;  ///< the model wrote text; else it scored given text
  /// What the filter left of the text; of scored choices the number of the likeliest, from 0; of
  /// one scored text whether it was the argmax.
  std::string chosen;
  /// All answers as they came: texts, or log-likelihoods with all their digits.
  std::vector<std::string> outputs;
  std::vector<std::pair<std::string, base::Value>> metrics;  ///< empty where there is no score
  std::string failure;                                       ///< why there is none; "" if not told
};

/// None where the line is no sample.
std::optional<SampledAnswer> answer_of(const base::Value& line);

/// The answers to a task, in the order of its samples file, which tare or lm-eval wrote. Errors: no
/// such file, a line that is no sample.
base::Result<std::vector<SampledAnswer>> read_answers(const RunFiles& files,
                                                      const std::string& task);

/// The same without what is most of the bytes: prompts, targets and outputs.
base::Result<std::vector<SampledAnswer>> read_scored_answers(const RunFiles& files,
                                                             const std::string& task);

/// The first line about a document, whole; none if there is none.
base::Result<std::optional<SampledAnswer>> find_answer(const RunFiles& files,
                                                       const std::string& task,
                                                       std::int64_t document);

}  // namespace tare::store
