#include "plan/plan.h"

#include <algorithm>
#include <numeric>

namespace tare::plan {
namespace {

std::size_t common_prefix(const std::vector<core::Token>& a, const std::vector<core::Token>& b,
                          std::size_t limit) {
  std::size_t n = 0;
  while (n < limit && a[n] == b[n]) ++n;
  return n;
}

/// Moves the first-level subtree with the longest request to the front; subtrees stay whole.
void longest_first(const std::vector<EncodedRequest>& requests, std::vector<std::size_t>& order) {
  if (order.empty()) return;
  const auto longest = std::max_element(order.begin(), order.end(), [&](auto a, auto b) {
    return requests[a].tokens.size() < requests[b].tokens.size();
  });
  const core::Token root = requests[*longest].tokens.front();
  const auto in_subtree = [&](std::size_t i) { return requests[i].tokens.front() == root; };
  std::stable_partition(order.begin(), order.end(), in_subtree);
}

}  // namespace

std::vector<std::size_t> unique_steps(const std::vector<EncodedRequest>& requests,
                                      const std::vector<std::size_t>& order) {
  std::vector<std::size_t> steps;
  steps.reserve(order.size());
  const EncodedRequest* previous = nullptr;
  for (std::size_t i : order) {
    const EncodedRequest& request = requests[i];
    std::size_t shared = 0;
    if (previous != nullptr)
      shared = common_prefix(previous->tokens, request.tokens,
                             std::min(previous->inputs(), request.inputs()));
    steps.push_back(request.inputs() - shared);
    previous = &request;
  }
  return steps;
}

void count_tokens(Plan& plan) {
  plan.tokens = {};
  plan.longest = 0;
  for (const auto* order : {&plan.order, &plan.generations}) {
    const auto steps = unique_steps(plan.requests, *order);
    plan.tokens.unique += std::accumulate(steps.begin(), steps.end(), std::size_t{0});
    for (const std::size_t i : *order) {
      plan.tokens.requested += plan.requests[i].inputs();
      plan.longest = std::max(plan.longest, plan.requests[i].tokens.size());
    }
  }
}

namespace {

/// Those with a common prefix together, the longest first.
void put_in_order(const std::vector<EncodedRequest>& requests, std::vector<std::size_t>& order) {
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return requests[a].tokens < requests[b].tokens;
  });
  longest_first(requests, order);
}

}  // namespace

Plan make_plan(std::vector<EncodedRequest> requests) {
  Plan plan;
  plan.requests = std::move(requests);
  for (std::size_t i = 0; i < plan.requests.size(); ++i) {
    const EncodedRequest& request = plan.requests[i];
    if (request.skipped || request.tokens.empty()) continue;
    (request.generates() ? plan.generations : plan.order).push_back(i);
  }
  put_in_order(plan.requests, plan.order);
  put_in_order(plan.requests, plan.generations);
  count_tokens(plan);
  return plan;
}

}  // namespace tare::plan
