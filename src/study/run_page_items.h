#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/value.h"
#include "study/run_page.h"

namespace tare::study {

/// An item in each run; null where a run was not asked it.
using ItemRow = std::vector<const store::SampledItem*>;

/// Rows in the order of the first run, then what others have beyond it. Items are paired by their
/// number in the data.
std::vector<ItemRow> item_rows(const ItemsByRun& items);

/// A filter and the metric by which its answers are right or wrong.
struct ItemJudge {
  std::string filter, metric;
  bool verdict = false;  ///< the metric is 0 or 1 for every item
};

/// The first of each that is 0 or 1 for every item, else the first.
ItemJudge judge_of(const std::vector<ItemRow>& rows);

/// 0 or 1 by the metric; none where there is no such value.
std::optional<bool> verdict_of(const store::SampledItem& item, const ItemJudge& judge);

/// What the item list needs of each item, in columns (docs/formats/report.md).
base::Value index_of(const std::vector<ItemRow>& rows, const ItemJudge& judge, std::size_t runs);

/// All that is shown of one item.
base::Value details_of(const ItemRow& row, std::span<const Pieces> pieces);

/// Answers whose log-probabilities do not add up to the log-likelihood of the samples, bit for bit.
std::size_t other_sums(const std::vector<ItemRow>& rows, std::size_t run);

/// True unless the tokens of the run's first item read as another text than its prompt: the
/// vocabulary is another one.
bool pieces_fit(const std::vector<ItemRow>& rows, std::size_t run, const Pieces& pieces);

/// The bytes of all tokens of the task in a run, by their ids: each byte is one character.
base::Value vocabulary_of(const std::vector<ItemRow>& rows, std::size_t run, const Pieces& pieces);

}  // namespace tare::study
