#include "plan/work.h"

#include <algorithm>

namespace tare::plan {
namespace {

/// Σ of p + 1 over the positions p from `first` to before `last`.
std::size_t attended(std::size_t first, std::size_t last) {
  return last * (last + 1) / 2 - first * (first + 1) / 2;
}

/// Counts rows of logits along the depth-first way through the tree of tokens: choices share the
/// one behind their context.
class LogitRows {
 public:
  /// The rows that this request adds, of whose inputs the last `steps` are its own.
  std::size_t add(const EncodedRequest& request, std::size_t steps) {
    has_row_.resize(request.inputs() - steps);
    has_row_.resize(request.inputs(), false);
    std::size_t rows = 0;
    for (std::size_t at = request.first_scored - 1; at < has_row_.size(); ++at) {
      rows += has_row_[at] ? 0 : 1;
      has_row_[at] = true;
    }
    return rows;
  }

 private:
  std::vector<bool> has_row_;  ///< by position on the present way
};

}  // namespace

Work& Work::operator+=(const Work& other) {
  scored += other.scored;
  prompts += other.prompts;
  answers += other.answers;
  new_tokens += other.new_tokens;
  attended += other.attended;
  logit_rows += other.logit_rows;
  return *this;
}

std::vector<Work> work_of(const Plan& plan, std::span<const core::BuiltTask> tasks,
                          const std::vector<std::size_t>& scored,
                          const std::vector<std::size_t>& generated) {
  std::vector<Work> by_task(tasks.size());
  LogitRows rows;
  std::vector<std::size_t> steps = unique_steps(plan.requests, scored);
  for (std::size_t i = 0; i < scored.size(); ++i) {
    const EncodedRequest& request = plan.requests[scored[i]];
    Work& work = by_task[request.task];
    work.scored += steps[i];
    work.attended += attended(request.inputs() - steps[i], request.inputs());
    work.logit_rows += rows.add(request, steps[i]);
  }
  steps = unique_steps(plan.requests, generated);
  for (std::size_t i = 0; i < generated.size(); ++i) {
    const EncodedRequest& request = plan.requests[generated[i]];
    const std::size_t most = std::max<std::size_t>(1, tasks[request.task].generation.max_tokens);
    Work& work = by_task[request.task];
    work.prompts += steps[i];
    work.answers += 1;
    work.new_tokens += most;
    work.attended += attended(request.inputs() - steps[i], request.inputs() + most - 1);
    work.logit_rows += most;
  }
  return by_task;
}

double flops(const Work& work, const core::ModelShape& shape) {
  const auto product = [](std::size_t a, std::size_t b) {
    return static_cast<double>(a) * static_cast<double>(b);
  };
  return 2 * (product(shape.layer_weights, work.tokens()) +
              product(shape.projection_weights, work.logit_rows) +
              product(shape.attention_width, work.attended));
}

}  // namespace tare::plan
