#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "base/value.h"
#include "core/request.h"
#include "store/find_run.h"

namespace tare::store {

/// One answer to a request of a finished run. What its samples do not say is empty.
struct ItemAnswer {
  std::optional<double> log_likelihood;  ///< nats
  std::optional<bool> greedy;            ///< the continuation is the argmax
  std::string text;                      ///< what the model wrote
  std::string finish;                    ///< why it ended
  std::string failure;                   ///< why there is no answer
  std::vector<core::Token> tokens;       ///< context and continuation, as scored or prompted
  std::vector<core::Token> generated;    ///< new ones
  std::size_t continuation = 0;          ///< how many of `tokens` at their end were scored
  std::size_t truncated = 0;             ///< context tokens cut off on the left
  /// Of each scored token, in nats. Samples hold none: for who asks the model again.
  std::vector<double> log_probabilities;
};

/// What was asked about a document at once.
struct ItemRequest {
  std::string context, continuation;  ///< the second is "" where text was generated
  std::vector<ItemAnswer> answers;    ///< one a repetition
};

/// What one filter pipeline made of the answers.
struct ItemFilter {
  std::string name;
  std::vector<std::string> left;                             ///< of each request, as text
  std::vector<std::pair<std::string, base::Value>> metrics;  ///< empty where there is no score
};

/// A document of a finished run with everything that its samples hold.
struct SampledItem {
  std::int64_t doc_id = 0;
  base::Value document;
  std::string document_hash, prompt_hash;
  std::string target;
  std::string subtask;     ///< the part of the task that it belongs to; "" if not told
  std::string failure;     ///< why its answers could not be scored
  bool generated = false;  ///< the model wrote text; else it scored given text
  std::vector<ItemRequest> requests;
  std::vector<ItemFilter> filters;  ///< in the order of the samples
};

/// The items of a task in the order of its samples file, which tare or lm-eval wrote. Errors: no
/// such file, a line that is no sample.
base::Result<std::vector<SampledItem>> read_items(const RunFiles& files, const std::string& task);

/// True if the run kept samples of the task.
bool has_samples(const RunFiles& files, const std::string& task);

/// An item from a line of a samples file; none if it is no sample. It has that line's filter alone.
std::optional<SampledItem> item_of(const base::Value& line);

}  // namespace tare::store
