#include "plan/plan.h"

#include <algorithm>

namespace tare::plan {
namespace {

std::size_t common_prefix(const std::vector<core::Token>& a, const std::vector<core::Token>& b,
                          std::size_t limit) {
  std::size_t n = 0;
  while (n < limit && a[n] == b[n]) ++n;
  return n;
}

/// The last token of a scored request is only predicted, so it is no input.
std::size_t inputs(const EncodedRequest& request) {
  return request.generates() ? request.tokens.size() : request.tokens.size() - 1;
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

std::size_t count_unique(const std::vector<EncodedRequest>& requests,
                         const std::vector<std::size_t>& order) {
  std::size_t unique = 0;
  const EncodedRequest* previous = nullptr;
  for (std::size_t i : order) {
    const EncodedRequest& request = requests[i];
    std::size_t shared = 0;
    if (previous != nullptr)
      shared = common_prefix(previous->tokens, request.tokens,
                             std::min(inputs(*previous), inputs(request)));
    unique += inputs(request) - shared;
    previous = &request;
  }
  return unique;
}

namespace {

/// Those with a common prefix together, the longest first; counts their unique tokens.
std::size_t put_in_order(const std::vector<EncodedRequest>& requests,
                         std::vector<std::size_t>& order) {
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return requests[a].tokens < requests[b].tokens;
  });
  longest_first(requests, order);
  return count_unique(requests, order);
}

}  // namespace

Plan make_plan(std::vector<EncodedRequest> requests) {
  Plan plan;
  plan.requests = std::move(requests);
  for (std::size_t i = 0; i < plan.requests.size(); ++i) {
    const EncodedRequest& request = plan.requests[i];
    if (request.skipped || request.tokens.empty()) continue;
    (request.generates() ? plan.generations : plan.order).push_back(i);
    plan.tokens.requested += inputs(request);
    plan.longest = std::max(plan.longest, request.tokens.size());
  }
  plan.tokens.unique = put_in_order(plan.requests, plan.order);
  plan.tokens.unique += put_in_order(plan.requests, plan.generations);
  return plan;
}

}  // namespace tare::plan
