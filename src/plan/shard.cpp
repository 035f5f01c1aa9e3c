#include "plan/shard.h"

#include <algorithm>
#include <numeric>
#include <span>

namespace tare::plan {
namespace {

/// What a request costs at the head of a part, and behind the one before it.
struct Cost {
  std::size_t alone = 0;
  std::size_t behind = 0;
};

std::vector<Cost> costs_of(const std::vector<EncodedRequest>& requests,
                           const std::vector<std::size_t>& order) {
  const std::vector<std::size_t> added = unique_steps(requests, order);
  std::vector<Cost> costs;
  costs.reserve(order.size());
  for (std::size_t k = 0; k < order.size(); ++k)
    costs.push_back({requests[order[k]].inputs(), added[k]});
  return costs;
}

/// Where each part begins, and the end, when parts are filled from the left up to `limit` and none
/// is left empty while there are requests for it. More than `parts` if that limit is too low.
std::vector<std::size_t> fill(const std::vector<Cost>& costs, std::size_t parts,
                              std::size_t limit) {
  std::vector<std::size_t> begins;
  std::size_t cost = 0;
  for (std::size_t k = 0; k < costs.size(); ++k) {
    const std::size_t left = costs.size() - k;
    const bool needed = begins.size() < parts && left <= parts - begins.size();
    if (begins.empty() || needed || cost + costs[k].behind > limit) {
      begins.push_back(k);
      cost = costs[k].alone;
    } else {
      cost += costs[k].behind;
    }
  }
  begins.resize(std::max(begins.size(), parts), costs.size());
  begins.push_back(costs.size());
  return begins;
}

/// The smallest limit that is enough for `parts`, by bisection.
std::size_t least_limit(const std::vector<Cost>& costs, std::size_t parts) {
  const auto longest = std::ranges::max_element(costs, {}, &Cost::alone);
  std::size_t low = longest == costs.end() ? 0 : longest->alone;
  std::size_t high = std::transform_reduce(costs.begin(), costs.end(), low, std::plus<>(),
                                           [](const Cost& cost) { return cost.behind; });
  while (low < high) {
    const std::size_t middle = low + (high - low) / 2;
    if (fill(costs, parts, middle).size() <= parts + 1) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

/// The order cut into `count` pieces.
std::vector<std::vector<std::size_t>> pieces(const std::vector<EncodedRequest>& requests,
                                             const std::vector<std::size_t>& order,
                                             std::size_t count) {
  const std::vector<Cost> costs = costs_of(requests, order);
  const auto begins = fill(costs, count, least_limit(costs, count));
  const auto at = [&](std::size_t n) {
    return order.begin() + static_cast<std::ptrdiff_t>(begins[n]);
  };
  std::vector<std::vector<std::size_t>> result;
  for (std::size_t n = 0; n < count; ++n) result.emplace_back(at(n), at(n + 1));
  return result;
}

}  // namespace

Plan shard(Plan plan, Shard part) {
  plan.order = pieces(plan.requests, plan.order, part.count)[part.index - 1];
  plan.generations = pieces(plan.requests, plan.generations, part.count)[part.index - 1];
  count_tokens(plan);
  return plan;
}

std::vector<std::vector<std::size_t>> shard_positions(const Plan& plan, std::size_t count) {
  auto positions = pieces(plan.requests, plan.order, count);
  const auto generations = pieces(plan.requests, plan.generations, count);
  for (std::size_t n = 0; n < count; ++n)
    positions[n].insert(positions[n].end(), generations[n].begin(), generations[n].end());
  return positions;
}

}  // namespace tare::plan
