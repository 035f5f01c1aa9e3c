#include "textscore/ter.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <tuple>
#include <unordered_map>

#include "base/unicode.h"
#include "textscore/words.h"

namespace tare::textscore {
namespace {

/// Words as numbers: equal words have equal ones.
using Words = std::vector<int>;

// Tercom's bounds on the search.
constexpr std::size_t kMaxShiftLength = 10;
constexpr std::ptrdiff_t kMaxShiftDistance = 50;
constexpr int kBeamWidth = 25;
constexpr int kMaxCandidates = 1000;

constexpr std::int64_t kUnreached = std::int64_t{1} << 50;

enum class Edit : char { none, match, substitution, insertion, deletion };

struct Cell {
  std::int64_t cost = kUnreached;
  Edit edit = Edit::none;
};

/// How a prediction of fixed length becomes the reference. Only cells near the diagonal are
/// computed. Predictions that begin alike share rows.
class EditDistance {
 public:
  EditDistance(const Words& reference, std::size_t length);
  std::int64_t operator()(const Words& words);
  /// Of the last call: from the first word to the last.
  [[nodiscard]] std::vector<Edit> edits() const;

 private:
  void compute_row(std::size_t i);

  const Words& reference_;
  double ratio_;
  int beam_;
  Words words_;
  std::vector<std::vector<Cell>> rows_;
  std::size_t done_ = 0;  ///< rows that belong to words_
};

EditDistance::EditDistance(const Words& reference, std::size_t length)
    : reference_(reference),
      ratio_(length == 0 ? 1 : static_cast<double>(reference.size()) / static_cast<double>(length)),
      beam_(kBeamWidth < ratio_ / 2 ? static_cast<int>(std::ceil(ratio_ / 2 + kBeamWidth))
                                    : kBeamWidth),
      words_(length),
      rows_(length + 1) {
  for (std::size_t j = 0; j <= reference.size(); ++j)
    rows_[0].push_back({static_cast<std::int64_t>(j), Edit::insertion});
}

std::int64_t EditDistance::operator()(const Words& words) {
  std::size_t same = 0;
  while (same < done_ && words_[same] == words[same]) ++same;
  words_ = words;
  for (std::size_t i = same + 1; i <= words.size(); ++i) compute_row(i);
  done_ = words.size();
  return rows_.back().back().cost;
}

/// Of equal costs a match or substitution is preferred to a deletion, that to an insertion.
void EditDistance::compute_row(std::size_t i) {
  const auto columns = static_cast<std::int64_t>(reference_.size()) + 1;
  const auto diagonal = static_cast<std::int64_t>(std::floor(static_cast<double>(i) * ratio_));
  const std::int64_t first = std::max<std::int64_t>(0, diagonal - beam_);
  const bool last_row = i == words_.size();
  const std::int64_t end = last_row ? columns : std::min(columns, diagonal + beam_);
  const std::vector<Cell>& above = rows_[i - 1];
  std::vector<Cell>& row = rows_[i];
  row.assign(static_cast<std::size_t>(columns), {});
  for (auto j = static_cast<std::size_t>(first); j < static_cast<std::size_t>(std::max(first, end));
       ++j) {
    Cell& cell = row[j];
    const auto offer = [&](std::int64_t cost, Edit edit) {
      if (cost < cell.cost) cell = {cost, edit};
    };
    if (j == 0) {
      cell = {above[0].cost + 1, Edit::deletion};
      continue;
    }
    const bool equal = words_[i - 1] == reference_[j - 1];
    offer(above[j - 1].cost + (equal ? 0 : 1), equal ? Edit::match : Edit::substitution);
    offer(above[j].cost + 1, Edit::deletion);
    offer(row[j - 1].cost + 1, Edit::insertion);
  }
}

std::vector<Edit> EditDistance::edits() const {
  std::vector<Edit> edits;
  for (std::size_t i = words_.size(), j = reference_.size(); i > 0 || j > 0;) {
    const Edit edit = rows_[i][j].edit;
    if (edit == Edit::none) break;
    edits.push_back(edit);
    if (edit != Edit::insertion) --i;
    if (edit != Edit::deletion) --j;
  }
  std::reverse(edits.begin(), edits.end());
  return edits;
}

/// Which word of the prediction stands for each of the reference, and which words are wrong.
struct Alignment {
  std::vector<std::ptrdiff_t> to_prediction;  ///< for each word of the reference; -1: none yet
  std::vector<bool> reference_wrong, prediction_wrong;
};

Alignment align(const std::vector<Edit>& edits) {
  Alignment out;
  std::ptrdiff_t at = -1;
  for (const Edit edit : edits) {
    const bool wrong = edit != Edit::match;
    if (edit != Edit::insertion) {
      ++at;
      out.prediction_wrong.push_back(wrong);
    }
    if (edit != Edit::deletion) {
      out.to_prediction.push_back(at);
      out.reference_wrong.push_back(wrong);
    }
  }
  return out;
}

/// A block of the prediction that also stands in the reference, elsewhere.
struct Block {
  std::size_t prediction = 0, reference = 0, length = 0;
};

bool any_wrong(const std::vector<bool>& wrong, std::size_t first, std::size_t length) {
  const auto begin = wrong.begin() + static_cast<std::ptrdiff_t>(first);
  return std::find(begin, begin + static_cast<std::ptrdiff_t>(length), true) !=
         begin + static_cast<std::ptrdiff_t>(length);
}

/// Worth moving: wrong on both sides, and not to a place within itself.
bool may_move(const Block& block, const Alignment& alignment) {
  if (!any_wrong(alignment.prediction_wrong, block.prediction, block.length)) return false;
  if (!any_wrong(alignment.reference_wrong, block.reference, block.length)) return false;
  const std::ptrdiff_t target = alignment.to_prediction[block.reference];
  const auto start = static_cast<std::ptrdiff_t>(block.prediction);
  return target < start || target >= start + static_cast<std::ptrdiff_t>(block.length);
}

/// The words with the block moved before `target` (of the unmoved words; of those that are left
/// where the target lies inside the block).
Words moved(const Words& words, const Block& block, std::size_t target) {
  Words out = words;
  const auto at = [&](std::size_t i) { return out.begin() + static_cast<std::ptrdiff_t>(i); };
  const std::size_t start = block.prediction, end = start + block.length;
  if (target < start)
    std::rotate(at(target), at(start), at(end));
  else if (target > end)
    std::rotate(at(start), at(end), at(target));
  else
    std::rotate(at(start), at(end), at(std::min(block.length + target, out.size())));
  return out;
}

/// Finds the move that saves the most edits.
class Shifter {
 public:
  Shifter(const Words& reference, Words words)
      : reference_(reference), words_(std::move(words)), distance_(reference, words_.size()) {}

  /// Moves and edits together.
  std::int64_t edits() {
    std::int64_t moves = 0;
    while (shift()) ++moves;
    return moves + distance_(words_);
  }

 private:
  /// Fewer edits first, then the longest block, the first one, the first target.
  using Rank = std::tuple<std::int64_t, std::int64_t, std::int64_t, std::int64_t>;

  bool shift();
  void try_from(std::size_t prediction, std::size_t reference);
  void try_block(const Block& block);
  void try_move(const Block& block, std::size_t target);

  const Words& reference_;
  Words words_;
  EditDistance distance_;
  int candidates_ = 0;  ///< tried in all shifts together

  std::int64_t before_ = 0;
  Alignment alignment_;
  std::optional<Rank> best_;
  Words best_words_;
};

/// False if no move helps, or too many were tried.
bool Shifter::shift() {
  before_ = distance_(words_);
  alignment_ = align(distance_.edits());
  best_.reset();
  for (std::size_t i = 0; i < words_.size() && candidates_ < kMaxCandidates; ++i)
    for (std::size_t j = 0; j < reference_.size() && candidates_ < kMaxCandidates; ++j)
      if (std::abs(static_cast<std::ptrdiff_t>(j) - static_cast<std::ptrdiff_t>(i)) <=
          kMaxShiftDistance)
        try_from(i, j);
  if (candidates_ >= kMaxCandidates || !best_ || std::get<0>(*best_) <= 0) return false;
  words_ = best_words_;
  return true;
}

void Shifter::try_from(std::size_t prediction, std::size_t reference) {
  for (std::size_t length = 0; length < kMaxShiftLength; ++length) {
    if (prediction + length == words_.size() || reference + length == reference_.size()) return;
    if (words_[prediction + length] != reference_[reference + length]) return;
    try_block({prediction, reference, length + 1});
    if (candidates_ >= kMaxCandidates) return;
  }
}

void Shifter::try_block(const Block& block) {
  if (!may_move(block, alignment_)) return;
  std::optional<std::size_t> previous;
  for (std::size_t offset = 0; offset <= block.length; ++offset) {
    const std::size_t place = block.reference + offset;  // one after the word to insert behind
    if (place > reference_.size()) return;
    const std::size_t target =
        place == 0 ? 0 : static_cast<std::size_t>(alignment_.to_prediction[place - 1] + 1);
    if (previous == target) continue;
    previous = target;
    try_move(block, target);
  }
}

void Shifter::try_move(const Block& block, std::size_t target) {
  Words words = moved(words_, block, target);
  const Rank rank{before_ - distance_(words), static_cast<std::int64_t>(block.length),
                  -static_cast<std::int64_t>(block.prediction), -static_cast<std::int64_t>(target)};
  ++candidates_;
  if (best_ && rank <= *best_) return;
  best_ = rank;
  best_words_ = std::move(words);
}

/// Numbers words in the order in which they come.
class Vocabulary {
 public:
  Words read(std::string_view text) {
    const std::string line = base::unicode::lower(base::unicode::rstrip(text));
    Words words;
    for (const std::string_view word : split_words(line))
      words.push_back(
          numbers_.emplace(std::string(word), static_cast<int>(numbers_.size())).first->second);
    return words;
  }

 private:
  std::unordered_map<std::string, int> numbers_;
};

std::int64_t count_edits(const Words& prediction, const Words& reference) {
  if (reference.empty()) return static_cast<std::int64_t>(prediction.size());
  return Shifter(reference, prediction).edits();
}

}  // namespace

/// The fewest edits to any reference, and the average length of the references.
Statistics ter_edits(std::string_view prediction, std::span<const std::string> references) {
  Vocabulary vocabulary;
  const Words predicted = vocabulary.read(prediction);
  std::int64_t fewest = kUnreached;
  double lengths = 0;
  for (const std::string& reference : references) {
    const Words words = vocabulary.read(reference);
    lengths += static_cast<double>(words.size());
    fewest = std::min(fewest, count_edits(predicted, words));
  }
  return {static_cast<double>(fewest), lengths / static_cast<double>(references.size())};
}

double ter_score(std::span<const double> sums) {
  if (sums[1] > 0) return 100 * (sums[0] / sums[1]);
  return sums[0] > 0 ? 100 : 0;
}

}  // namespace tare::textscore
