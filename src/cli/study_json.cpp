#include "cli/study_json.h"

#include <algorithm>
#include <cmath>

#include "base/or_none.h"
#include "study/document.h"
#include "study/invariants.h"

namespace tare::cli {
namespace {

using base::Dict;
using base::List;
using base::or_none;
using base::Value;

constexpr int kVersion = 1;

Value texts(const std::vector<std::string>& lines) {
  return List(lines.begin(), lines.end());
}

Value comparison_value(const study::Design& design, const study::Comparison& one) {
  Dict dict;
  dict.set("model", design.models[one.model].name);
  dict.set("backend", design.backends[one.backend].name);
  dict.set("mode", one.mode);
  dict.set("benchmark", design.benchmarks[one.measure.benchmark].name);
  dict.set("metric", one.measure.metric);
  dict.set("items", one.measure.pooled ? Value() : Value(one.items));
  dict.set("missing", one.missing);
  dict.set("repetitions", one.repetitions);
  dict.set("baseline", one.baseline);
  dict.set("score", one.score);
  dict.set("divergence", one.divergence());
  dict.set("interval", or_none(one.interval));
  dict.set("disagreement", or_none(one.disagreement));
  dict.set("other_answers", or_none(one.other_answers));
  dict.set("severe", or_none(one.severe));
  dict.set("kappa", or_none(one.kappa));
  dict.set("kappa_interval", or_none(one.kappa_interval));
  dict.set("overlap", or_none(one.overlap));
  dict.set("test", one.test.empty() ? Value() : Value(one.test));
  dict.set("p", or_none(one.p));
  dict.set("p_holm", or_none(one.adjusted));
  dict.set("p_wilcoxon", or_none(one.wilcoxon_p));
  dict.set("effect", or_none(one.effect));
  dict.set("detectable", or_none(one.detectable));
  dict.set("floor", or_none(one.floor));
  dict.set("baseline_floor", or_none(one.baseline_floor));
  dict.set("different", one.p ? Value(one.significant(design.alpha)) : Value());
  return dict;
}

Value comparisons_value(const study::Findings& findings) {
  List all;
  for (const study::Comparison& one : findings.comparisons)
    all.push_back(comparison_value(findings.design, one));
  return all;
}

Value invariants_value(const study::Findings& findings) {
  List all;
  for (const study::Invariant& one : study::invariants_of(findings)) {
    Dict dict;
    dict.set("text", one.text);
    dict.set("holds", one.holds);
    all.emplace_back(std::move(dict));
  }
  return all;
}

Value cells_value(const StudyPlan& plan) {
  List cells;
  for (const PlannedCell& cell : plan.cells) {
    Dict dict;
    dict.set("name", cell.name);
    dict.set("questions", questions_in(plan, cell));
    dict.set("finished", cell.finished);
    dict.set("failed_items", cell.failed_items);
    dict.set("failure", cell.failure.empty() ? Value() : Value(cell.failure));
    dict.set("expected_seconds", or_none(cell_seconds(plan, cell)));
    cells.emplace_back(std::move(dict));
  }
  return cells;
}

}  // namespace

Value plan_value(const StudyPlan& plan) {
  Dict dict;
  dict.set("schema_version", kVersion);
  dict.set("name", plan.design.name);
  dict.set("output", plan.design.output.string());
  dict.set("baseline", plan.design.baseline);
  dict.set("seconds_left", or_none(seconds_left(plan)));
  dict.set("refusals", texts(plan.refusals));
  dict.set("cells", cells_value(plan));
  return dict;
}

Value study_value(const StudyPlan& plan, const study::Findings& findings,
                  const std::filesystem::path& folder) {
  Dict dict = plan_value(plan).as_dict();
  dict.set("report", folder.string());
  dict.set("warnings", texts(study::warnings_of(findings)));
  dict.set("invariants", invariants_value(findings));
  dict.set("comparisons", comparisons_value(findings));
  return dict;
}

}  // namespace tare::cli
