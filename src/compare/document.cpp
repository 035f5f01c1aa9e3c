#include "compare/document.h"

#include "base/or_none.h"

namespace tare::compare {
namespace {

using base::Dict;
using base::List;
using base::or_none;
using base::Value;

List texts(const std::vector<std::string>& from) {
  return {from.begin(), from.end()};
}

Value run_value(const Side& side) {
  const store::FinishedRun& run = side.run;
  Dict dict;
  dict.set("letter", side.letter);
  dict.set("results", run.files.results.string());
  dict.set("written_by", run.writer);
  dict.set("model", run.record.model);
  dict.set("model_name", or_none(run.record.model_name));
  dict.set("weights_sha256", or_none(run.weights));
  dict.set("backend", or_none(run.backend));
  List passed_over;
  for (const auto& path : run.files.passed_over) passed_over.emplace_back(path.string());
  dict.set("passed_over", std::move(passed_over));
  return dict;
}

Value difference_value(const Difference& difference) {
  Dict dict;
  dict.set("kind", mismatch_name(difference.mismatch));
  dict.set("task", difference.task);
  dict.set("text", difference.text);
  dict.set("causes", texts(difference.causes));
  return dict;
}

Value score_value(const Score& score) {
  Dict dict;
  dict.set("value", score.value);
  dict.set("interval", or_none(score.interval));
  return dict;
}

Value verdicts_value(const Measured& measured) {
  if (!measured.verdicts) return {};
  Dict dict;
  dict.set("both_right", measured.verdicts->both_right);
  dict.set("right_to_wrong", measured.verdicts->only_first);
  dict.set("wrong_to_right", measured.verdicts->only_second);
  dict.set("both_wrong", measured.verdicts->both_wrong);
  dict.set("wrong_to_other_wrong", measured.other_wrong);
  dict.set("kappa", or_none(measured.kappa));
  dict.set("kappa_interval", or_none(measured.kappa_interval));
  return dict;
}

List numbers(const std::vector<std::int64_t>& documents) {
  return {documents.begin(), documents.end()};
}

void add_difference(const Measured& measured, Dict& dict) {
  Dict difference;
  difference.set("value", measured.difference());
  difference.set("interval", or_none(measured.interval));
  difference.set("standard_error", or_none(std::optional(measured.error)));
  difference.set("better", measured.difference() == 0 ? Value() : Value(measured.better()));
  dict.set("first", score_value(measured.first));
  dict.set("second", score_value(measured.second));
  dict.set("difference", std::move(difference));
  dict.set("ratio", or_none(measured.ratio));
  dict.set("ratio_interval", or_none(measured.ratio_interval));
  dict.set("test", or_none(measured.test));
  dict.set("p", or_none(measured.p));
  dict.set("p_holm", or_none(measured.adjusted));
  dict.set("p_unpaired", or_none(measured.unpaired_p));
  dict.set("detectable", or_none(measured.detectable));
  dict.set("verdicts", verdicts_value(measured));
  dict.set("worse", numbers(measured.worse));
  dict.set("improved", numbers(measured.improved));
}

Value metric_value(const Measured& measured, const Comparison& comparison, const Versus& versus) {
  Dict dict;
  dict.set("task", measured.task);
  dict.set("metric", measured.metric);
  dict.set("filter", measured.filter);
  dict.set("higher_is_better", measured.higher_is_better);
  dict.set("kind", kind_name(measured.kind));
  dict.set("not_compared", or_none(measured.not_compared));
  dict.set("items", measured.items);
  dict.set("missing", measured.missing);
  dict.set("undefined", measured.undefined);
  Dict failures;
  for (const auto& [reason, count] : measured.failures) failures.set(reason, count);
  dict.set("failures", std::move(failures));
  dict.set("reported", List{or_none(measured.reported_first), or_none(measured.reported_second)});
  if (measured.not_compared.empty()) add_difference(measured, dict);
  dict.set("sentence", sentence_of(measured, comparison, versus));
  return dict;
}

Value versus_value(const Versus& versus, const Comparison& comparison) {
  Dict dict;
  dict.set("first", comparison.sides[0].letter);
  dict.set("second", comparison.sides[versus.second].letter);
  dict.set("items", versus.items);
  dict.set("failed", versus.failed);
  List differences, metrics;
  for (const Difference& difference : versus.differences)
    differences.push_back(difference_value(difference));
  for (const Measured& measured : versus.metrics)
    metrics.push_back(metric_value(measured, comparison, versus));
  dict.set("differences", std::move(differences));
  dict.set("metrics", std::move(metrics));
  return dict;
}

Value rule_value(const Judged& judged) {
  Dict dict;
  dict.set("rule", judged.rule.text);
  dict.set("holds", judged.ruling.holds);
  dict.set("looked_at", judged.ruling.looked_at);
  dict.set("reasons", texts(judged.ruling.reasons));
  return dict;
}

}  // namespace

Value document_of(const Comparison& comparison, std::span<const Judged> rules) {
  List runs, pairs, judged;
  for (const Side& side : comparison.sides) runs.push_back(run_value(side));
  for (const Versus& versus : comparison.pairs) pairs.push_back(versus_value(versus, comparison));
  for (const Judged& rule : rules) judged.push_back(rule_value(rule));
  Dict dict;
  dict.set("schema_version", 1);
  dict.set("runs", std::move(runs));
  dict.set("level", comparison.level);
  dict.set("tests", comparison.tests);
  dict.set("comparisons", std::move(pairs));
  dict.set("rules", std::move(judged));
  return dict;
}

}  // namespace tare::compare
