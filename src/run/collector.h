#pragma once

#include <map>
#include <span>
#include <utility>
#include <vector>

#include "base/result.h"
#include "core/request.h"
#include "core/task.h"
#include "plan/plan.h"
#include "run/execute.h"

namespace tare::run {

/// The reason where the backend gives none.
inline constexpr const char* kNoAnswer = "the backend gave no answer";

/// Where answers arrive: puts each into its place among the responses.
class Collector {
 public:
  Collector(const plan::Plan& plan, std::span<const core::BuiltTask> tasks);

  /// Error: an answer to a position that the plan does not ask, or of the wrong kind.
  base::Status restore(std::span<const core::Answered> known);
  /// Error: a failure at a position that the plan does not have.
  base::Status restore(std::span<const core::Failed> failures);
  void put(const core::Answered& answered);
  /// There is no answer there, and this is why.
  void fail(const core::Failed& failed);

  /// There is an answer, or it is known that there is none.
  [[nodiscard]] bool settled(std::size_t position) const { return settled_[position]; }
  Responses take() { return std::move(responses_); }

 private:
  /// Windows of a rolling request that have come in, to be summed in their order.
  struct Windows {
    std::vector<double> sums;
    std::size_t missing = 0;
  };

  std::span<core::Response> places(const plan::EncodedRequest& request);
  void prepare(const plan::EncodedRequest& request);
  void put(const plan::EncodedRequest& request, const core::LogLikelihood& answer);
  void put(const plan::EncodedRequest& request, const core::Generated& answer);
  void put_window(const plan::EncodedRequest& request, double sum);

  const plan::Plan& plan_;
  std::span<const core::BuiltTask> tasks_;
  std::vector<bool> settled_;  ///< by position
  Responses responses_;
  std::map<std::pair<std::size_t, std::size_t>, Windows> windows_;  ///< by task and request
};

}  // namespace tare::run
