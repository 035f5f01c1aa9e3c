#include "backend/llama/prefix_tree.h"

#include <algorithm>
#include <numeric>

namespace tare::backend::llama {
namespace {

using core::Token;

std::span<const Token> inputs(const ScoreItem& item) {
  return std::span(item.tokens).first(item.tokens.size() - 1);
}

std::size_t common_length(std::span<const Token> a, std::span<const Token> b) {
  const auto ends = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
  return static_cast<std::size_t>(ends.first - a.begin());
}

/// An item that no other item continues, with those that end somewhere on its path.
struct Carrier {
  std::size_t item = 0;
  std::vector<std::size_t> riders;  ///< itself included
};

class Builder {
 public:
  explicit Builder(std::span<const ScoreItem> items) : items_(items) { find_carriers(); }

  PrefixTree build(bool share) {
    if (share) {
      pending_.push_back({0, carriers_.size(), kNone, 0});
    } else {
      for (std::size_t c = 0; c < carriers_.size(); ++c) pending_.push_back({c, c + 1, kNone, 0});
    }
    while (!pending_.empty()) {
      const Range range = pending_.back();
      pending_.pop_back();
      if (range.end > range.begin) grow(range);
    }
    for (Segment& segment : tree_.segments)
      std::sort(segment.reads.begin(), segment.reads.end(), [](const Read& a, const Read& b) {
        return std::pair(a.position, a.item) < std::pair(b.position, b.item);
      });
    return std::move(tree_);
  }

 private:
  /// Carriers [begin, end) that share at least `start` tokens, which `parent`'s path covers.
  struct Range {
    std::size_t begin, end, parent, start;
  };

  void find_carriers() {
    std::vector<std::size_t> order(items_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return std::ranges::lexicographical_compare(inputs(items_[a]), inputs(items_[b]));
    });
    for (std::size_t i : order) {
      // Sorted, a sequence stands right before one that continues it, if there is any.
      const bool continues =
          !carriers_.empty() && common_length(path(carriers_.size() - 1), inputs(items_[i])) ==
                                    path(carriers_.size() - 1).size();
      if (!continues) carriers_.emplace_back();
      carriers_.back().item = i;
      carriers_.back().riders.push_back(i);
    }
  }

  [[nodiscard]] std::span<const Token> path(std::size_t carrier) const {
    return inputs(items_[carriers_[carrier].item]);
  }

  [[nodiscard]] std::size_t shared(std::size_t begin, std::size_t end) const {
    if (end - begin == 1) return path(begin).size();
    return common_length(path(begin), path(end - 1));
  }

  void grow(const Range& range) {
    const std::size_t depth = shared(range.begin, range.end);
    if (range.end - range.begin == 1) {
      add_reads(range.begin, add_segment(range, depth));
      return;
    }
    const std::size_t parent = depth > range.start ? add_segment(range, depth) : range.parent;
    for (Range branch : split(range, depth)) {
      branch.parent = parent;
      branch.start = depth;
      pending_.push_back(branch);
    }
  }

  [[nodiscard]] std::vector<Range> split(const Range& range, std::size_t depth) const {
    std::vector<Range> branches;
    for (std::size_t c = range.begin; c < range.end; ++c) {
      const bool same = c > range.begin && path(c)[depth] == path(c - 1)[depth];
      if (same) {
        branches.back().end = c + 1;
      } else {
        branches.push_back({c, c + 1, kNone, 0});
      }
    }
    return branches;
  }

  std::size_t add_segment(const Range& range, std::size_t end) {
    const std::size_t id = tree_.segments.size();
    tree_.segments.push_back({.parent = range.parent,
                              .item = carriers_[range.begin].item,
                              .begin = range.start,
                              .end = end});
    (range.parent == kNone ? tree_.roots : tree_.segments[range.parent].children).push_back(id);
    return id;
  }

  /// Puts the reads of a carrier's riders on the segments of its path, which ends in `leaf`.
  void add_reads(std::size_t carrier, std::size_t leaf) {
    for (std::size_t s = leaf; s != kNone; s = tree_.segments[s].parent)
      for (std::size_t rider : carriers_[carrier].riders) add_reads(tree_.segments[s], rider);
  }

  void add_reads(Segment& segment, std::size_t item) const {
    const std::size_t first = std::max(items_[item].first_scored - 1, segment.begin);
    const std::size_t last = std::min(inputs(items_[item]).size(), segment.end);
    for (std::size_t position = first; position < last; ++position)
      segment.reads.push_back({position, item});
  }

  std::span<const ScoreItem> items_;
  std::vector<Carrier> carriers_;  ///< in lexicographic order
  std::vector<Range> pending_;
  PrefixTree tree_;
};

}  // namespace

PrefixTree build_prefix_tree(std::span<const ScoreItem> items, bool share) {
  return Builder(items).build(share);
}

}  // namespace tare::backend::llama
