#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "core/request.h"
#include "store/find_run.h"

namespace tare::store {

/// A request of a finished run, as its samples hold it.
struct SampledRequest {
  std::string task;
  std::int64_t doc_id = 0;
  std::size_t index = 0;  ///< which request of the document
  std::string context;
  std::string continuation;                        ///< "" where text was generated
  std::optional<std::vector<core::Token>> tokens;  ///< none: not in the samples
  std::size_t truncated = 0;                       ///< tokens cut off on the left
};

/// The requests of a task, each once, in the order of its samples file, which tare or lm-eval
/// wrote. Errors: no such file, a line that is no sample.
base::Result<std::vector<SampledRequest>> read_samples(const RunFiles& files,
                                                       const std::string& task);

}  // namespace tare::store
