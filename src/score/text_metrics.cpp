#include "score/text_metrics.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/python.h"
#include "score/exact_match.h"

namespace tare::score {
namespace {

using base::List;
using base::Result;
using base::Value;

constexpr std::array<std::string_view, 4> kExactMatchArguments{
    "regexes_to_ignore", "ignore_case", "ignore_punctuation", "ignore_numbers"};

/// The share of answers that equal the reference: 1 or 0 for one answer.
Result<double> share_matched(const ExactMatch& match, const Value& reference,
                             const Value& answers) {
  if (!reference.is_string()) return 0.0;
  if (answers.is_string()) {
    TARE_TRY(const bool equal, match.equal(answers.as_string(), reference.as_string()));
    return equal ? 1.0 : 0.0;
  }
  if (!answers.is_sequence()) return 0.0;
  std::vector<std::string> texts;
  for (const Value& answer : answers.items())
    texts.push_back(answer.is_string() ? answer.as_string() : base::python::str(answer));
  return match.share(texts, reference.as_string());
}

Result<Value> exact_match(const TextAnswer& answer, const Value& arguments) {
  TARE_TRY(const ExactMatch match, ExactMatch::compile(arguments));
  if (!answer.several) {
    TARE_TRY(const double share, share_matched(match, answer.gold, answer.result));
    return Value(share);
  }
  for (const Value& gold : answer.gold.items()) {
    TARE_TRY(const double share, share_matched(match, gold, answer.result));
    if (share > 0) return Value(1.0);
  }
  return Value(0.0);
}

/// Corpus metrics are computed over all documents at once.
Result<Value> passed_on(const TextAnswer& answer, const Value&) {
  return Value(List{answer.gold, answer.result});
}

Result<Value> bypassed(const TextAnswer&, const Value&) {
  return Value(0);
}

// name, value of a document, its kind, aggregation, takes lists, arguments
constexpr std::array kTextMetrics = {
    TextMetric{"exact_match", exact_match, ValueKind::number, "mean", true, kExactMatchArguments},
    TextMetric{"bleu", passed_on, ValueKind::texts, "bleu", false, {}},
    TextMetric{"chrf", passed_on, ValueKind::texts, "chrf", false, {}},
    TextMetric{"chrf++", passed_on, ValueKind::texts, "chrf++", false, {}},
    TextMetric{"ter", passed_on, ValueKind::texts, "ter", false, {}},
    // Of use with an aggregation of the task's own alone.
    TextMetric{"acc", passed_on, ValueKind::texts, "mean", false, {}},
    TextMetric{"acc_norm", passed_on, ValueKind::texts, "mean", false, {}},
    TextMetric{"f1", passed_on, ValueKind::texts, "f1", false, {}},
    TextMetric{"mcc", passed_on, ValueKind::texts, "matthews_corrcoef", false, {}},
    TextMetric{"bypass", bypassed, ValueKind::nothing, "bypass", true, {}},
};

/// A target of another kind than the answer is compared as Python's str() of it.
Value as_text(const Value& gold, const Value& result) {
  if (gold.is_string() || result.is_sequence()) return gold;
  return base::python::str(gold);
}

}  // namespace

std::span<const TextMetric> text_metrics() {
  return kTextMetrics;
}

const TextMetric* find_text_metric(std::string_view name) {
  const auto found = std::ranges::find(kTextMetrics, name, &TextMetric::name);
  return found == kTextMetrics.end() ? nullptr : &*found;
}

TextAnswer text_answer(const core::BuiltTask& task, std::size_t document, Value result) {
  const core::Gold& gold = task.golds[document];
  TextAnswer answer{gold.target, false, std::move(result)};
  if (task.has_choices) {
    const bool flag = gold.target.is_bool();
    const std::int64_t index = flag ? std::int64_t(gold.target.as_bool()) : gold.target.as_int();
    answer.gold = gold.choices[static_cast<std::size_t>(index)];
  } else if (task.multiple_target) {
    answer.several = true;
    if (!gold.target.is_sequence()) answer.gold = List{gold.target};
  } else {
    answer.gold = as_text(gold.target, answer.result);
  }
  return answer;
}

}  // namespace tare::score
