#include "backend/llama/walk.h"

namespace tare::backend::llama {

std::vector<Piece> walk(const PrefixTree& tree, std::size_t segment, std::size_t begin) {
  std::vector<Piece> pieces{{.begin = begin}};
  std::vector<std::size_t> pending{segment};
  std::size_t last = tree.segments[segment].parent;
  while (!pending.empty()) {
    const Segment& next = tree.segments[pending.back()];
    if (next.parent != last) pieces.push_back({.begin = next.begin});
    last = pending.back();
    pending.pop_back();
    Piece& piece = pieces.back();
    piece.item = next.item;
    piece.end = next.end;
    piece.reads.insert(piece.reads.end(), next.reads.begin(), next.reads.end());
    pending.insert(pending.end(), next.children.rbegin(), next.children.rend());
  }
  return pieces;
}

std::vector<std::size_t> count_leaves(const PrefixTree& tree) {
  std::vector<std::size_t> leaves(tree.segments.size());
  for (std::size_t s = leaves.size(); s-- > 0;) {  // parents stand before their children
    const Segment& segment = tree.segments[s];
    if (segment.children.empty()) leaves[s] = 1;
    if (segment.parent != kNone) leaves[segment.parent] += leaves[s];
  }
  return leaves;
}

}  // namespace tare::backend::llama
