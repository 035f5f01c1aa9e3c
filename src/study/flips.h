#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "stats/paired.h"
#include "store/read_answers.h"

/// The answers of two runs to the same items: what changed, whether that is more than chance.
namespace tare::study {

enum class Change {
  lost,         ///< right became wrong
  won,          ///< wrong became right
  other_wrong,  ///< wrong became another wrong answer
  other,        ///< another answer of the same worth, or of an unknown one
  output,       ///< the same answer from another text
};

/// "right to wrong", "wrong to right", ...
std::string_view change_name(Change change);

/// An item with another answer, or with the same one from another text.
struct Flip {
  std::int64_t document = 0;
  Change change = Change::output;
  std::string prompt, target;
  std::string first, second;                               ///< the answers
  std::vector<std::string> first_outputs, second_outputs;  ///< what they were read from
};

/// A task in two runs. The first run is the baseline.
struct TaskFlips {
  std::string task;
  std::string metric, filter;  ///< by which an answer is right or wrong; "" if no metric says that
  std::size_t items = 0;       ///< that both runs were asked
  std::size_t missing = 0;     ///< that one run alone was asked
  stats::PairedCounts verdicts;     ///< of the items that have one in both runs
  std::size_t answers_changed = 0;  ///< (source 003: "MMLU answers changed")
  std::size_t wrong_to_other = 0;   ///< of these, from one wrong answer to another
  std::size_t texts = 0;            ///< items that are answered by generated text
  std::size_t texts_changed = 0;    ///< (source 003: "of all generated outputs changed")
  std::size_t scores = 0;           ///< items that are answered by log-likelihoods
  std::size_t scores_changed = 0;   ///< of which any differs in any bit
  double p = 1;                     ///< McNemar's exact test of the verdicts
  double adjusted = 1;              ///< after Holm, see adjust()
  std::vector<Flip> flips;          ///< in the order of the documents

  [[nodiscard]] std::optional<double> first_accuracy() const;
  [[nodiscard]] std::optional<double> second_accuracy() const;
  /// Second less first.
  [[nodiscard]] std::optional<double> movement() const;
};

/// Pairs answers by document. Of several filters and metrics the first one counts that is 0 or 1
/// for every item. Error: a document, or its prompt, is another one in the other run.
base::Result<TaskFlips> compare_answers(const std::string& task,
                                        std::span<const store::SampledAnswer> first,
                                        std::span<const store::SampledAnswer> second);

/// Holm over the tasks that have verdicts.
void adjust(std::span<TaskFlips> tasks);

/// max |Δ accuracy| of the tasks (source 003); none without verdicts.
std::optional<double> greatest_movement(std::span<const TaskFlips> tasks);

/// All tasks as one, without its flips; p over all verdicts.
TaskFlips together(std::span<const TaskFlips> tasks);

}  // namespace tare::study
