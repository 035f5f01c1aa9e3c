#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/value.h"

/// Scores of a whole corpus of translations, as sacrebleu 2.6 computes them: statistics of each
/// segment, summed, then one number from the sums. That makes a resample cheap.
namespace tare::textscore {

/// A generated text and the texts that it should be.
struct Translation {
  std::string prediction;
  std::vector<std::string> references;  ///< at least one
};

/// What lm-eval keeps of a document for bleu, chrf and ter: [references, prediction], where
/// references is a str or a list of str, and prediction a str or a list of one.
base::Result<Translation> read_translation(const base::Value& item);

/// Sums of statistics; counts are whole numbers.
using Statistics = std::vector<double>;

struct CorpusMetric {
  std::string_view name;
  /// Of one segment, against these references.
  Statistics (*segment)(std::string_view prediction, std::span<const std::string> references);
  /// The score, 0 to 100 (an error rate may exceed that), from the sums over segments.
  double (*score)(std::span<const double> sums);
};

/// The segments of a corpus with their statistics.
class ScoredCorpus {
 public:
  /// `translations` is not empty.
  ScoredCorpus(const CorpusMetric& metric, std::span<const Translation> translations);
  [[nodiscard]] std::size_t size() const { return segments_.size(); }
  [[nodiscard]] double score() const;
  /// The score of chosen segments, which may repeat. As in lm-eval all segments are compared with
  /// as many references as the one that has the fewest.
  [[nodiscard]] double score(std::span<const std::size_t> chosen) const;

 private:
  struct Segment {
    std::size_t references = 0;
    /// One for each entry of counts_ that the segment has references for.
    std::vector<Statistics> by_count;
  };

  const CorpusMetric* metric_;
  std::vector<std::size_t> counts_;  ///< numbers of references that occur, ascending
  std::vector<Segment> segments_;
};

/// What lm-eval calls bleu, chrf, chrf++ and ter.
enum class Corpus { bleu, chrf, chrf_plus_plus, ter };

const CorpusMetric& corpus_metric(Corpus kind);

struct CorpusScore {
  double value = 0;
  std::optional<double> standard_error;  ///< empty for a single segment
};

/// `values` has an item of each document, as read_translation() reads it, and is not empty.
base::Result<CorpusScore> corpus_score(Corpus kind, std::span<const base::Value> values,
                                       std::size_t resamples);

/// lm-eval resamples these metrics so often at most, whatever its bootstrap_iters.
inline constexpr std::size_t kCorpusIterations = 100;

/// The bootstrapped standard error over segments; see stats/bootstrap.h.
std::optional<double> corpus_stderr(const ScoredCorpus& corpus, std::size_t iterations);

}  // namespace tare::textscore
