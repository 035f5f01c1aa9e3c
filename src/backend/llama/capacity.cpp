#include "backend/llama/capacity.h"

#include <algorithm>
#include <bit>
#include <map>

namespace tare::backend::llama {
namespace {

/// llama.cpp rounds the size of a stream up to this.
constexpr std::size_t kStep = 256;

/// For each segment the root above it.
std::vector<std::size_t> roots_of(const PrefixTree& tree) {
  std::vector<std::size_t> roots(tree.segments.size());
  for (std::size_t s = 0; s < roots.size(); ++s) {
    const std::size_t parent = tree.segments[s].parent;
    roots[s] = parent == kNone ? s : roots[parent];
  }
  return roots;
}

}  // namespace

std::size_t stream_capacity(std::size_t tokens) {
  std::size_t capacity = kStep;
  while (capacity < tokens) capacity += std::max(kStep, std::bit_floor(capacity) / 2);
  return capacity;
}

std::vector<CapacityGroup> group_by_capacity(const PrefixTree& tree,
                                             std::span<const ScoreItem> items, std::size_t tile) {
  const std::vector<std::size_t> root = roots_of(tree);
  std::vector<std::size_t> longest(tree.segments.size());  // by root
  std::vector<std::size_t> home(items.size());
  for (std::size_t s = 0; s < root.size(); ++s) {
    longest[root[s]] = std::max(longest[root[s]], tree.segments[s].end);
    for (const Read& read : tree.segments[s].reads) home[read.item] = root[s];
  }
  std::map<std::size_t, std::vector<std::size_t>> by_capacity;
  for (std::size_t i = 0; i < items.size(); ++i)
    by_capacity[stream_capacity(longest[home[i]] + tile)].push_back(i);
  std::vector<CapacityGroup> groups;
  for (auto& [capacity, members] : by_capacity) groups.push_back({capacity, std::move(members)});
  return groups;
}

}  // namespace tare::backend::llama
