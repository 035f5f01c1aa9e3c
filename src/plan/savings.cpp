#include "plan/savings.h"

namespace tare::plan {

std::vector<Savings> savings(const Plan& plan, std::size_t tasks) {
  std::vector<Savings> by_task(tasks);
  for (const auto* order : {&plan.order, &plan.generations}) {
    const std::vector<std::size_t> steps = unique_steps(plan.requests, *order);
    for (std::size_t i = 0; i < order->size(); ++i) {
      const EncodedRequest& request = plan.requests[(*order)[i]];
      by_task[request.task].requested += request.inputs();
      by_task[request.task].unique += steps[i];
    }
  }
  return by_task;
}

}  // namespace tare::plan
