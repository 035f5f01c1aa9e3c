#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/value.h"
#include "core/request.h"
#include "score/gold.h"

/// What one document gets from the model's answers (lm-eval 0.4.13, api/task.py process_results).
namespace tare::score {

/// The answers of one document, none of them failed.
struct Answers {
  std::vector<double> log_likelihoods;  ///< of each choice, or of the one request
  std::vector<double> unconditional;    ///< of each choice after an empty context, if asked for
  std::vector<bool> greedy;             ///< of all requests
  const std::vector<std::string>* choices = nullptr;  ///< multiple_choice only
  GoldChoices gold;                                   ///< multiple_choice only
  std::string text;  ///< loglikelihood_rolling only: what was scored
};

/// What a metric gives for a document, and so which aggregations can take it.
enum class ValueKind {
  number,
  labels,         ///< (gold, predicted) choice
  weighted,       ///< (log-likelihood, words or bytes)
  probabilities,  ///< (gold choice, probability of each choice)
  texts,          ///< [reference or references, answer]
  nothing,        ///< a value that only "bypass" takes
};

/// One metric of one output type that answers by log-likelihoods.
struct Metric {
  std::string_view name;
  core::OutputType output_type;
  base::Value (*value)(const Answers&);  ///< a number, or a (gold, predicted) tuple
  ValueKind gives;
  std::string_view aggregation;  ///< where the task names none
  bool higher_is_better;
  bool takes_lists;  ///< also for targets that are lists
};

/// All metrics, in the order in which lm-eval lists them for a document.
std::span<const Metric> metrics();

/// Null if there is none.
const Metric* find_metric(std::string_view name, core::OutputType output_type);

/// Whether a metric is made of the greedy flag.
bool reads_greedy_flag(std::string_view name, core::OutputType output_type);

/// Whether lm-eval knows the name, for any output type.
bool known_to_lm_eval(std::string_view metric);

/// The position of the largest value; the first on a tie, and the first NaN if there is one
/// (numpy.argmax). `x` is not empty.
std::size_t argmax(std::span<const double> x);

}  // namespace tare::score
