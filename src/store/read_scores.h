#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "base/value.h"
#include "store/find_run.h"

namespace tare::store {

/// What one filter pipeline gave one document of a finished run, as its samples hold it.
struct SampledScore {
  std::int64_t doc_id = 0;
  std::string filter;
  base::Value document;
  std::string document_hash;
  std::string subtask;  ///< the part of the task that the document belongs to; "" if not told
  std::vector<std::pair<std::string, base::Value>> metrics;  ///< empty where there is no score
  std::optional<std::string> answer;  ///< the text that was scored; none: no text, or several
  std::string failure;                ///< why there is none; "" if not told
};

/// The scores of a task, in the order of its samples file, which tare or lm-eval wrote. Errors: no
/// such file, a line that is no sample.
base::Result<std::vector<SampledScore>> read_scores(const RunFiles& files, const std::string& task);

}  // namespace tare::store
