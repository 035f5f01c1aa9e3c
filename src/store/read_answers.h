#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "base/value.h"

namespace tare::store {

/// What a finished run answered to one document, as one filter pipeline took it.
struct SampledAnswer {
  std::int64_t doc_id = 0;
  std::string filter;
  std::string document_hash, prompt_hash;
  std::string prompt;  ///< of the first request
  std::string target;
  bool generated = false;  ///< the model wrote text; else it scored given text
  /// What the filter left of the text; of scored choices the number of the likeliest, from 0; of
  /// one scored text whether it was the argmax.
  std::string chosen;
  /// All answers as they came: texts, or log-likelihoods with all their digits.
  std::vector<std::string> outputs;
  std::vector<std::pair<std::string, base::Value>> metrics;  ///< empty where there is no score
};

/// The answers to a task, in the order of its samples file, which tare or lm-eval wrote. Errors: no
/// such file, a line that is no sample.
base::Result<std::vector<SampledAnswer>> read_answers(const std::filesystem::path& folder,
                                                      const std::string& task);

}  // namespace tare::store
