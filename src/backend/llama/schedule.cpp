#include "backend/llama/schedule.h"

#include <algorithm>

namespace tare::backend::llama {
namespace {

using core::Token;

/// A segment whose parent's tokens stand in stream `source` (kNone: it has no parent).
struct Job {
  std::size_t segment = 0;
  std::size_t source = kNone;
};

class Scheduler {
 public:
  Scheduler(const PrefixTree& tree, std::span<const ScoreItem> items, const Shape& shape,
            Streams& streams)
      : tree_(tree), items_(items), shape_(shape), streams_(streams) {}

  std::vector<Decode> run(bool quick_start) {
    std::vector<Job> roots;
    for (std::size_t root : tree_.roots) roots.push_back({root, kNone});
    quick_start_ = quick_start;
    run(std::move(roots), 0);
    return std::move(decodes_);
  }

 private:
  [[nodiscard]] const Segment& segment(const Job& job) const { return tree_.segments[job.segment]; }

  [[nodiscard]] std::size_t padded(std::size_t tokens) const {
    return (tokens + shape_.tile - 1) / shape_.tile * shape_.tile;
  }

  /// Computes the jobs and all below them, using streams from `first` on. A source is either below
  /// `first` or `first` itself; in the second case every job's path begins with what it holds now,
  /// so that the shared tokens stay there whatever is put behind them.
  void run(std::vector<Job> jobs, std::size_t first) {
    std::stable_sort(jobs.begin(), jobs.end(), [&](const Job& a, const Job& b) {
      return padded(segment(a).size()) > padded(segment(b).size());
    });
    if (quick_start_ && !jobs.empty()) {
      run_inner({&jobs.back(), 1}, first);
      jobs.pop_back();
      quick_start_ = false;
    }
    const auto inner_end = std::stable_partition(
        jobs.begin(), jobs.end(), [&](const Job& job) { return !segment(job).children.empty(); });
    for (auto job = inner_end; job != jobs.end();)
      job += static_cast<std::ptrdiff_t>(decode_some({job, jobs.end()}, first));
    const std::size_t free = shape_.streams - first;
    const auto wave = static_cast<std::ptrdiff_t>(std::max<std::size_t>(1, free / 3));
    for (auto job = jobs.begin(); job != inner_end;) {
      const auto end = job + std::min(wave, inner_end - job);
      run_inner({job, end}, first);
      job = end;
    }
  }

  /// Computes segments that have children in streams first, first + 1, ..., then their children in
  /// the streams after these (or, after a single one, from the same stream on).
  void run_inner(std::span<const Job> wave, std::size_t first) {
    for (std::size_t done = 0; done < wave.size();)
      done += decode_some(wave.subspan(done), first + done);
    std::vector<Job> children;
    for (std::size_t i = 0; i < wave.size(); ++i)
      for (std::size_t child : segment(wave[i]).children) children.push_back({child, first + i});
    if (!children.empty()) run(std::move(children), wave.size() == 1 ? first : first + wave.size());
  }

  /// Computes as many jobs from the front as fit into one decode, in streams from `first` on, and
  /// returns how many. One that is too long for a decode takes several by itself.
  std::size_t decode_some(std::span<const Job> jobs, std::size_t first) {
    const std::size_t rows = padded(segment(jobs[0]).size());
    if (rows > chunk_rows(segment(jobs[0]))) {
      decode_alone(jobs[0], first);
      return 1;
    }
    const std::size_t most = std::min({jobs.size(), shape_.streams - first, shape_.rows / rows});
    Decode decode{.rows = rows};
    std::size_t outputs = 0;
    for (std::size_t i = 0; i < most; ++i) {
      const Segment& next = segment(jobs[i]);
      outputs += output_rows(next.reads);
      const bool fits = padded(next.size()) == rows && outputs <= shape_.outputs;
      if (i > 0 && !fits) break;
      decode.work.push_back(place(jobs[i], first + i));
      append(decode.work.back(), next, next.end);
    }
    const std::size_t done = decode.work.size();
    shrink(decode);
    if (decode.rows > 0) decodes_.push_back(std::move(decode));
    return done;
  }

  /// A stream may have held part of what a single job needs.
  void shrink(Decode& decode) const {
    if (decode.work.size() == 1) decode.rows = padded(decode.work[0].count);
  }

  void decode_alone(const Job& job, std::size_t stream) {
    const Segment& whole = segment(job);
    StreamWork work = place(job, stream);
    while (work.keep < whole.end) {
      append(work, whole, std::min(whole.end, work.keep + chunk_rows(whole)));
      const std::size_t next = work.keep + work.count;
      decodes_.push_back({.rows = padded(work.count), .work = {work}});
      work = {.stream = stream, .keep = next, .item = whole.item};
    }
  }

  /// The most rows of a segment that one decode takes.
  [[nodiscard]] std::size_t chunk_rows(const Segment& whole) const {
    const bool all_fit = output_rows(whole.reads) <= shape_.outputs;
    const std::size_t most = all_fit ? shape_.rows : std::min(shape_.rows, shape_.outputs);
    return most / shape_.tile * shape_.tile;
  }

  [[nodiscard]] static std::size_t output_rows(std::span<const Read> reads) {
    std::size_t rows = 0;
    for (std::size_t i = 0; i < reads.size(); ++i)
      rows += i == 0 || reads[i].position != reads[i - 1].position;
    return rows;
  }

  /// Where a job's stream starts from: its own content if that holds the parents' tokens, else a
  /// copy of the source.
  [[nodiscard]] StreamWork place(const Job& job, std::size_t stream) const {
    const Segment& next = segment(job);
    StreamWork work{.stream = stream, .keep = next.begin, .item = next.item};
    const std::size_t held = matching(streams_[stream], next);
    if (job.source == kNone) {
      if (tree_.roots.size() == 1) work.keep = reusable(held, next);
    } else if (held < next.begin) {
      work.copy_from = job.source;
    }
    return work;
  }

  [[nodiscard]] std::size_t matching(const std::vector<Token>& held, const Segment& next) const {
    const auto& tokens = items_[next.item].tokens;
    const std::size_t most = std::min(held.size(), next.end);
    const auto end = held.begin() + static_cast<std::ptrdiff_t>(most);
    return static_cast<std::size_t>(std::mismatch(held.begin(), end, tokens.begin()).first -
                                    held.begin());
  }

  /// How many of `held` tokens may stay: rows that are read must be computed, and so must the last.
  [[nodiscard]] static std::size_t reusable(std::size_t held, const Segment& root) {
    return root.reads.empty() ? held : std::min(held, root.reads.front().position);
  }

  /// Completes `work` up to token `end` of its segment, and notes what the stream then holds.
  void append(StreamWork& work, const Segment& whole, std::size_t end) {
    work.count = end - work.keep;
    for (const Read& read : whole.reads)
      if (read.position >= work.keep && read.position < end) work.reads.push_back(read);
    const auto first = items_[whole.item].tokens.begin();
    streams_[work.stream].assign(first, first + static_cast<std::ptrdiff_t>(end));
  }

  const PrefixTree& tree_;
  std::span<const ScoreItem> items_;
  Shape shape_;
  Streams& streams_;
  bool quick_start_ = false;
  std::vector<Decode> decodes_;
};

}  // namespace

std::vector<Decode> make_schedule(const PrefixTree& tree, std::span<const ScoreItem> items,
                                  const Shape& shape, Streams& streams, bool quick_start) {
  streams.resize(shape.streams);
  return Scheduler(tree, items, shape, streams).run(quick_start);
}

}  // namespace tare::backend::llama
