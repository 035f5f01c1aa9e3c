#include "backend/llama/item_path.h"

#include <algorithm>

#include "backend/llama/capacity.h"

namespace tare::backend::llama {
namespace {

/// One group of items, planned as the engine does.
class Group {
 public:
  Group(std::span<const ScoreItem> items, const CapacityGroup& group, const Shape& shape)
      : members_(group.items) {
    for (const std::size_t i : members_) items_.push_back(items[i]);
    tree_ = build_prefix_tree(items_);
    Streams streams;
    decodes_ = make_schedule(tree_, items_, shape, streams, false);
    count_riders();
  }

  [[nodiscard]] std::size_t decodes() const { return decodes_.size(); }

  /// The place of an item among the group's own, its size if it is none of them.
  [[nodiscard]] std::size_t place_of(std::size_t item) const {
    return static_cast<std::size_t>(std::ranges::find(members_, item) - members_.begin());
  }
  [[nodiscard]] bool has(std::size_t item) const { return place_of(item) < members_.size(); }

  [[nodiscard]] std::vector<PathStep> steps(std::size_t item) const {
    const std::size_t place = place_of(item);
    std::vector<PathStep> steps;
    for (std::size_t s = ends_[place]; s != kNone; s = tree_.segments[s].parent) {
      const Segment& segment = tree_.segments[s];
      PathStep step{segment.begin, std::min(segment.end, items_[place].tokens.size() - 1),
                    riders_[s]};
      locate(segment, step);
      steps.push_back(step);
    }
    std::ranges::reverse(steps);
    return steps;
  }

 private:
  /// An item's path ends where its last token is read.
  void count_riders() {
    ends_.assign(items_.size(), kNone);
    riders_.assign(tree_.segments.size(), 0);
    for (std::size_t s = 0; s < tree_.segments.size(); ++s)
      for (const Read& read : tree_.segments[s].reads)
        if (read.position + 2 == items_[read.item].tokens.size()) ends_[read.item] = s;
    for (const std::size_t end : ends_)
      for (std::size_t s = end; s != kNone; s = tree_.segments[s].parent) ++riders_[s];
  }

  /// The item's path leads through the begin of the segment.
  [[nodiscard]] bool passes(std::size_t item, const Segment& segment) const {
    const auto path = std::span(items_[segment.item].tokens).first(segment.begin + 1);
    const auto& tokens = items_[item].tokens;
    return tokens.size() > path.size() && std::equal(path.begin(), path.end(), tokens.begin());
  }

  void locate(const Segment& segment, PathStep& step) const {
    for (std::size_t d = 0; d < decodes_.size(); ++d)
      for (const StreamWork& work : decodes_[d].work) {
        const bool computes = work.keep <= segment.begin &&
                              work.keep + work.count > segment.begin && passes(work.item, segment);
        if (!computes) continue;
        step.decode = d + 1;
        step.rows = decodes_[d].rows * decodes_[d].work.size();
        return;
      }
  }

  std::vector<std::size_t> members_;
  std::vector<ScoreItem> items_;
  PrefixTree tree_;
  std::vector<Decode> decodes_;
  std::vector<std::size_t> ends_;    ///< of each item: the segment with its last read
  std::vector<std::size_t> riders_;  ///< of each segment: items whose path it is on
};

}  // namespace

std::vector<ItemPath> item_paths(std::span<const ScoreItem> items,
                                 std::span<const std::size_t> chosen, const Shape& shape) {
  std::vector<ItemPath> paths(chosen.size());
  const PrefixTree tree = build_prefix_tree(items);
  const std::vector<CapacityGroup> groups = group_by_capacity(tree, items, shape.tile);
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const Group group(items, groups[g], shape);
    for (std::size_t i = 0; i < chosen.size(); ++i)
      if (group.has(chosen[i]))
        paths[i] = {groups[g].capacity, g + 1, group.decodes(), group.steps(chosen[i])};
  }
  return paths;
}

}  // namespace tare::backend::llama
