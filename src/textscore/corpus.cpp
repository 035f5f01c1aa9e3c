#include "textscore/corpus.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "stats/bootstrap.h"
#include "textscore/bleu.h"
#include "textscore/chrf.h"
#include "textscore/ter.h"

namespace tare::textscore {
namespace {

using base::Value;

base::Failure not_text(std::string_view what, const Value& found) {
  return base::work_failed(fmt::format("{}: found {}, wanted a text", what, found.type_name()));
}

base::Result<std::vector<std::string>> read_references(const Value& gold) {
  if (gold.is_string()) return std::vector{gold.as_string()};
  if (!gold.is_sequence()) return not_text("reference", gold);
  std::vector<std::string> references;
  for (const Value& reference : gold.items()) {
    if (!reference.is_string()) return not_text("reference", reference);
    references.push_back(reference.as_string());
  }
  if (references.empty()) return base::work_failed("reference: found none, wanted at least one");
  return references;
}

}  // namespace

base::Result<Translation> read_translation(const Value& item) {
  if (!item.is_sequence() || item.items().size() != 2)
    return base::work_failed(
        fmt::format("found {}, wanted a pair of references and prediction", item.type_name()));
  TARE_TRY(auto references, read_references(item.items()[0]));
  const Value& prediction = item.items()[1];
  if (prediction.is_string()) return Translation{prediction.as_string(), std::move(references)};
  if (!prediction.is_sequence()) return not_text("prediction", prediction);
  if (prediction.items().size() != 1 || !prediction.items()[0].is_string())
    return base::work_failed(fmt::format(
        "prediction: found a list of {}, wanted one text; end the filter with take_first",
        prediction.items().size()));
  return Translation{prediction.items()[0].as_string(), std::move(references)};
}

const CorpusMetric& corpus_metric(Corpus kind) {
  static constexpr std::array kMetrics = {&kBleu, &kChrf, &kChrfPlusPlus, &kTer};
  return *kMetrics.at(static_cast<std::size_t>(kind));
}

base::Result<CorpusScore> corpus_score(Corpus kind, std::span<const Value> values,
                                       std::size_t resamples) {
  std::vector<Translation> translations;
  for (std::size_t i = 0; i < values.size(); ++i) {
    auto translation = read_translation(values[i]);
    if (!translation)
      return base::in_context(fmt::format("document {}", i), std::move(translation).error());
    translations.push_back(std::move(*translation));
  }
  const ScoredCorpus corpus(corpus_metric(kind), translations);
  return CorpusScore{corpus.score(), corpus_stderr(corpus, resamples)};
}

ScoredCorpus::ScoredCorpus(const CorpusMetric& metric, std::span<const Translation> translations)
    : metric_(&metric) {
  for (const Translation& translation : translations)
    counts_.push_back(translation.references.size());
  std::sort(counts_.begin(), counts_.end());
  counts_.erase(std::unique(counts_.begin(), counts_.end()), counts_.end());
  for (const Translation& translation : translations) {
    const std::span<const std::string> references = translation.references;
    Segment segment{references.size(), {}};
    for (std::size_t count : counts_)
      if (count <= references.size())
        segment.by_count.push_back(metric.segment(translation.prediction, references.first(count)));
    segments_.push_back(std::move(segment));
  }
}

double ScoredCorpus::score() const {
  std::vector<std::size_t> all(segments_.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  return score(all);
}

double ScoredCorpus::score(std::span<const std::size_t> chosen) const {
  std::size_t fewest = counts_.back();
  for (std::size_t index : chosen) fewest = std::min(fewest, segments_[index].references);
  const auto place = static_cast<std::size_t>(
      std::lower_bound(counts_.begin(), counts_.end(), fewest) - counts_.begin());
  Statistics sums(segments_.front().by_count.front().size());
  for (std::size_t index : chosen) {
    const Statistics& statistics = segments_[index].by_count[place];
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += statistics[i];
  }
  return metric_->score(sums);
}

std::optional<double> corpus_stderr(const ScoredCorpus& corpus, std::size_t iterations) {
  return stats::bootstrap_stderr(
      corpus.size(), [&](std::span<const std::size_t> chosen) { return corpus.score(chosen); },
      std::min(iterations, kCorpusIterations));
}

}  // namespace tare::textscore
