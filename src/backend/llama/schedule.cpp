#include "backend/llama/schedule.h"

#include <algorithm>
#include <utility>

#include "backend/llama/lockstep.h"
#include "backend/llama/walk.h"

namespace tare::backend::llama {
namespace {

using core::Token;

/// A copy into a stream must save so many tokens. Most streams hold the beginning of a task's
/// prompts anyway.
constexpr std::size_t kWorthCopying = 4;
/// A prefix that is shared by many and so long is computed before all that share it.
constexpr std::size_t kLongTrunk = 64;

/// A subtree, to be computed behind the first `begin` tokens of its segment's path.
struct Job {
  std::size_t segment = 0;
  std::size_t begin = 0;
};

/// A walk under way in a stream.
struct Walker {
  std::vector<Piece> pieces;
  std::size_t next = 0;  ///< the piece after the one that the cursor stands in
};

class Scheduler {
 public:
  Scheduler(const PrefixTree& tree, std::span<const ScoreItem> items, const Shape& shape,
            Streams& streams)
      : tree_(tree),
        items_(items),
        shape_(shape),
        streams_(streams),
        leaves_(count_leaves(tree)),
        walkers_(shape.streams),
        cursors_(shape.streams) {}

  std::vector<Decode> run(bool quick_start) {
    std::vector<Job> roots;
    for (const std::size_t root : tree_.roots) roots.push_back({root, 0});
    quick_start_ = quick_start;
    run(std::move(roots));
    return std::move(decodes_);
  }

 private:
  [[nodiscard]] const Segment& segment(const Job& job) const { return tree_.segments[job.segment]; }

  /// Computes subtrees whose common prefix stands in stream 0. Small ones are walked through side
  /// by side. Of a large one first the trunk is computed, then its branches.
  void run(std::vector<Job> jobs) {
    std::size_t leaves = 0;
    for (const Job& job : jobs) leaves += leaves_[job.segment];
    const std::size_t small = std::max<std::size_t>(4, leaves / (8 * shape_.streams));
    std::vector<Job> walks, trunks;
    while (!jobs.empty()) {
      const Job job = jobs.back();
      jobs.pop_back();
      if (leaves_[job.segment] <= small) {
        walks.push_back(job);
      } else if (worth_sharing(job)) {
        trunks.push_back(job);
      } else {
        for (const std::size_t child : segment(job).children) jobs.push_back({child, job.begin});
      }
    }
    std::ranges::stable_sort(walks, std::greater{}, [&](const Job& job) { return length(job); });
    walk_jobs(walks);
    for (const Job& job : trunks) divide(job);
  }

  /// Tokens of the first path through a job.
  [[nodiscard]] std::size_t length(const Job& job) const {
    std::size_t last = job.segment;
    while (!tree_.segments[last].children.empty()) last = tree_.segments[last].children.front();
    return tree_.segments[last].end;
  }

  [[nodiscard]] bool worth_sharing(const Job& job) const {
    return !segment(job).reads.empty() || segment(job).end - job.begin >= kLongTrunk;
  }

  void divide(const Job& job) {
    const Segment& trunk = segment(job);
    const Piece piece{trunk.item, job.begin, trunk.end, trunk.reads};
    walk_all({{piece}});
    std::vector<Job> branches;
    for (const std::size_t child : trunk.children) branches.push_back({child, trunk.end});
    run(std::move(branches));
  }

  void walk_jobs(std::span<const Job> jobs) {
    std::vector<std::vector<Piece>> walks;
    for (const Job& job : jobs) walks.push_back(walk(tree_, job.segment, job.begin));
    if (quick_start_ && walks.size() > 1) {
      walk_all(std::vector(1, walks.back()));
      walks.pop_back();
    }
    if (!walks.empty()) quick_start_ = false;
    walk_all(std::move(walks));
  }

  /// Whenever a stream is through with a walk it takes the next one.
  void walk_all(std::vector<std::vector<Piece>> walks) {
    std::size_t next = 0;
    for (;;) {
      for (std::size_t s = 0; s < shape_.streams; ++s)
        while (cursors_[s].piece == nullptr && next < walks.size())
          start(s, std::move(walks[next++]));
      if (std::ranges::none_of(cursors_, [](const Cursor& c) { return c.piece != nullptr; })) break;
      take(best_step(cursors_, shape_));
    }
  }

  void start(std::size_t stream, std::vector<Piece> pieces) {
    Walker& walker = walkers_[stream];
    walker = {.pieces = std::move(pieces)};
    const Piece& first = walker.pieces.front();
    if (!shape_.cuttable) streams_[stream].clear();
    if (shape_.cuttable) find_prefix(stream, first);
    enter_next(stream);
    cursors_[stream].at = std::max(first.begin, reusable(streams_[stream], first));
    if (cursors_[stream].rest() == 0) enter_next(stream);
  }

  void enter_next(std::size_t stream) {
    Walker& walker = walkers_[stream];
    cursors_[stream] = {};
    if (walker.next == walker.pieces.size()) return;
    const Piece& piece = walker.pieces[walker.next++];
    cursors_[stream] = {&piece, piece.begin};
  }

  /// Copies the longest prefix that stands in another stream, if the own one is much shorter.
  void find_prefix(std::size_t stream, const Piece& piece) {
    std::size_t best = stream, most = reusable(streams_[stream], piece);
    const bool needed = most < piece.begin;
    if (!needed) most += kWorthCopying;
    for (std::size_t s = 0; s < shape_.streams; ++s)
      if (const std::size_t held = reusable(streams_[s], piece); held > most) {
        best = s;
        most = held;
      }
    if (best == stream) return;
    copies_.push_back({.from = best, .to = stream, .tokens = most});
    streams_[stream] = streams_[best];
    streams_[stream].resize(most);
  }

  /// How many tokens of those that a stream holds need not be computed again: rows that are read
  /// must be.
  [[nodiscard]] std::size_t reusable(const std::vector<Token>& held, const Piece& piece) const {
    const auto& tokens = items_[piece.item].tokens;
    const std::size_t end = piece.reads.empty() ? piece.end : piece.reads.front().position;
    const auto last = held.begin() + static_cast<std::ptrdiff_t>(std::min(held.size(), end));
    const auto differ = std::mismatch(held.begin(), last, tokens.begin()).first;
    return static_cast<std::size_t>(differ - held.begin());
  }

  void take(const Step& step) {
    Decode decode{.copies = std::exchange(copies_, {}), .rows = step.rows};
    for (std::size_t s = step.first; s < step.first + step.count; ++s)
      decode.work.push_back(advance(s, step.rows));
    decodes_.push_back(std::move(decode));
  }

  StreamWork advance(std::size_t stream, std::size_t rows) {
    std::vector<Token>& held = streams_[stream];
    const Cursor cursor = cursors_[stream];
    if (cursor.piece == nullptr) {
      held.clear();
      return {.stream = stream};
    }
    StreamWork work{.stream = stream, .keep = cursor.at, .item = cursor.piece->item};
    work.count = std::min(cursor.rest(), rows);
    const std::size_t end = work.keep + work.count;
    for (const Read& read : cursor.piece->reads)
      if (read.position >= work.keep && read.position < end) work.reads.push_back(read);
    const auto first = items_[work.item].tokens.begin();
    held.assign(first, first + static_cast<std::ptrdiff_t>(end));
    cursors_[stream].at = end;
    if (cursors_[stream].rest() == 0) enter_next(stream);
    return work;
  }

  const PrefixTree& tree_;
  std::span<const ScoreItem> items_;
  Shape shape_;
  Streams& streams_;
  std::vector<std::size_t> leaves_;  ///< below each segment
  std::vector<Walker> walkers_;      ///< of each stream
  std::vector<Cursor> cursors_;
  bool quick_start_ = false;
  std::vector<Copy> copies_;  ///< to be made before the next decode
  std::vector<Decode> decodes_;
};

}  // namespace

std::vector<Decode> make_schedule(const PrefixTree& tree, std::span<const ScoreItem> items,
                                  const Shape& shape, Streams& streams, bool quick_start) {
  streams.resize(shape.streams);
  return Scheduler(tree, items, shape, streams).run(quick_start);
}

}  // namespace tare::backend::llama
