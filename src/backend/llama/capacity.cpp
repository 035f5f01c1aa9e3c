#include "backend/llama/capacity.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <map>

namespace tare::backend::llama {
namespace {

/// llama.cpp rounds the size of a stream up to this.
constexpr std::size_t kStep = 256;

/// Tokens of a prefix that is rather computed once for each group than keeps items together.
constexpr std::size_t kShortPrefix = 64;

/// For each segment the uppermost one above it whose prefix is long.
std::vector<std::size_t> homes_of(const PrefixTree& tree) {
  std::vector<std::size_t> homes(tree.segments.size());
  for (std::size_t s = 0; s < homes.size(); ++s) {
    const std::size_t parent = tree.segments[s].parent;
    const bool joined = parent != kNone && tree.segments[parent].end >= kShortPrefix;
    homes[s] = joined ? homes[parent] : s;
  }
  return homes;
}

}  // namespace

std::size_t stream_capacity(std::size_t tokens) {
  std::size_t capacity = kStep;
  while (capacity < tokens) capacity += std::max(kStep, std::bit_floor(capacity) / 2);
  return capacity;
}

std::size_t cache_budget(std::size_t available, std::size_t weights) {
  if (available == 0) return 1ULL << 30;
  return (available - std::min(available, weights)) / 4;
}

std::vector<CapacityGroup> group_by_capacity(const PrefixTree& tree,
                                             std::span<const ScoreItem> items, std::size_t tile) {
  const std::vector<std::size_t> homes = homes_of(tree);
  std::vector<std::size_t> longest(tree.segments.size());  // by home
  std::vector<std::size_t> home(items.size());
  for (std::size_t s = 0; s < homes.size(); ++s) {
    longest[homes[s]] = std::max(longest[homes[s]], tree.segments[s].end);
    for (const Read& read : tree.segments[s].reads) home[read.item] = homes[s];
  }
  std::map<std::size_t, std::vector<std::size_t>, std::greater<>> by_capacity;
  for (std::size_t i = 0; i < items.size(); ++i)
    by_capacity[stream_capacity(longest[home[i]] + tile)].push_back(i);
  std::vector<CapacityGroup> groups;
  for (auto& [capacity, members] : by_capacity) groups.push_back({capacity, std::move(members)});
  return groups;
}

}  // namespace tare::backend::llama
