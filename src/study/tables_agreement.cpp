#include <algorithm>
#include <cmath>

#include "study/numbers.h"
#include "study/tables.h"

namespace tare::study {
namespace {

using report::Table;
using Row = std::vector<std::string>;
using Quantity = std::optional<double> Comparison::*;

struct Mean {
  double sum = 0;
  std::size_t count = 0;
  void add(const std::optional<double>& value) {
    if (!value) return;
    sum += *value;
    ++count;
  }
  [[nodiscard]] std::string text(int places) const {
    return count == 0 ? kNothing : digits(sum / static_cast<double>(count), places);
  }
};

/// Means over modes and metrics, by model and backend.
Table agreement(const Findings& findings, std::string id, std::string title, Quantity quantity,
                std::string note) {
  const Design& design = findings.design;
  Table table{std::move(id), std::move(title), {"Model"}, {}, 1, {std::move(note)}};
  for (const std::size_t backend : targets(design))
    table.headers.push_back(design.backends[backend].name);
  for (std::size_t model = 0; model < design.models.size(); ++model) {
    Row row{design.models[model].name};
    for (const std::size_t backend : targets(design)) {
      Mean mean;
      for (const Comparison& one : findings.comparisons)
        if (one.model == model && one.backend == backend) mean.add(one.*quantity);
      row.push_back(mean.text(3));
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

std::string item_names(const Findings& findings, const Comparison& one, std::size_t most) {
  const auto& items = findings.observations.items[one.measure.benchmark];
  std::string text;
  for (std::size_t i = 0; i < std::min(most, one.changed.size()); ++i)
    text += (i == 0 ? ": " : ", ") + items[one.changed[i]].name();
  return text + (one.changed.size() > most ? ", ..." : "");
}

/// What is to be made of a comparison, in words.
std::string conclusion(const Comparison& one, double alpha) {
  if (!one.p) return "not tested";
  if (one.significant(alpha)) return "different";
  if (!one.detectable || *one.detectable > 1)
    return "no difference found; too few items to find any";
  return fmt::format("no difference found; {} would be", digits(*one.detectable, 3));
}

std::string interval_text(const std::optional<stats::Interval>& interval) {
  return interval ? fmt::format("[{}, {}]", digits(interval->low, 4), digits(interval->high, 4))
                  : kNothing;
}

}  // namespace

Table table_kappa(const Findings& findings) {
  return agreement(findings, "table-d",
                   fmt::format("Table D. Cohen's κ with {}", findings.design.baseline),
                   &Comparison::kappa,
                   "Agreement of verdicts beyond chance, mean over modes and metrics that are "
                   "verdicts, of the majority of the repetitions (source by name; 1 where all "
                   "verdicts are the same one is ours).");
}

Table table_overlap(const Findings& findings) {
  return agreement(
      findings, "table-e",
      fmt::format("Table E. Overlap of the errors with those of {}", findings.design.baseline),
      &Comparison::overlap,
      "|wrong in both|/|wrong in any| (source by name; Jaccard's index is a third "
      "party's reading), mean over modes and metrics that are verdicts.");
}

Table table_floor(const Findings& findings) {
  const Design& design = findings.design;
  Table table{"table-floor",
              "Repetition floor",
              {"Model", "Backend"},
              {},
              2,
              {"How much the answers of one backend differ between two repetitions: the share of "
               "changed verdicts, else the mean |x − y|; mean over metrics (ours). A disagreement "
               "between backends that is not above it can be the draw alone."}};
  std::vector<std::string> modes;
  for (const std::string& mode : design.modes)
    if (repetitions_of(design, mode) > 1) modes.push_back(mode);
  table.headers.insert(table.headers.end(), modes.begin(), modes.end());
  for (std::size_t model = 0; model < design.models.size(); ++model)
    for (std::size_t backend = 0; backend < design.backends.size(); ++backend) {
      const bool baseline = design.backends[backend].name == design.baseline;
      Row row{design.models[model].name, design.backends[backend].name};
      for (const std::string& mode : modes) {
        Mean mean;
        for (const Comparison& one : findings.comparisons)
          if (one.model == model && one.mode == mode && (baseline || one.backend == backend))
            mean.add(baseline ? one.baseline_floor : one.floor);
        row.push_back(mean.text(4));
      }
      table.rows.push_back(std::move(row));
    }
  return table;
}

Table table_comparisons(const Findings& findings) {
  const Design& design = findings.design;
  Table table{
      "comparisons",
      fmt::format("All comparisons with {}", design.baseline),
      {"Model",
       "Backend",
       "Mode",
       "Benchmark",
       "Metric",
       "Items",
       "Missing",
       "Repetitions",
       "Baseline",
       "Score",
       "Δ",
       "Interval",
       "D",
       "Other answers",
       "Severe",
       "κ",
       "Interval of κ",
       "Overlap",
       "Test",
       "p",
       "p (Holm)",
       "p (Wilcoxon)",
       "|r|",
       "Detectable",
       "Floor",
       "Baseline's floor",
       "Conclusion"},
      {},
      5,
      {fmt::format(
          "Intervals: {:g} % percentile bootstraps of Δ and κ over items, whole clusters "
          "where there are several (ours). D: share of changed verdicts, else the "
          "mean |x − y| (derived, the latter ours). Other answers: share of items whose answer is "
          "another text, right or wrong, where each has one (ours). Detectable: the least |Δ| that "
          "is found with a power of 80 % (ours).",
          100 * (1 - design.alpha))}};
  for (const Comparison& one : findings.comparisons)
    table.rows.push_back({design.models[one.model].name,
                          design.backends[one.backend].name,
                          one.mode,
                          design.benchmarks[one.measure.benchmark].name,
                          one.measure.metric,
                          one.measure.pooled ? kNothing : fmt::format("{}", one.items),
                          fmt::format("{}", one.missing),
                          fmt::format("{}", one.repetitions),
                          digits(one.baseline, 4),
                          digits(one.score, 4),
                          digits(one.divergence(), 4),
                          interval_text(one.interval),
                          digits(one.disagreement, 4),
                          digits(one.other_answers, 4),
                          one.severe ? (*one.severe ? "yes" : "no") : kNothing,
                          digits(one.kappa, 3),
                          interval_text(one.kappa_interval),
                          digits(one.overlap, 3),
                          one.test.empty() ? kNothing : one.test,
                          digits(one.p, 5),
                          digits(one.adjusted, 5),
                          digits(one.wilcoxon_p, 5),
                          digits(one.effect, 3),
                          digits(one.detectable, 4),
                          digits(one.floor, 4),
                          digits(one.baseline_floor, 4),
                          conclusion(one, design.alpha)});
  return table;
}

report::Scatter figure_of(const Findings& findings) {
  constexpr std::size_t kNamed = 12;
  const Design& design = findings.design;
  report::Scatter figure{
      fmt::format("Figure 1. Disagreement with {} against divergence", design.baseline),
      "|Δ|, difference of scores",
      "D, share of items that changed",
      design.radius,
      {}};
  for (const Comparison& one : findings.comparisons) {
    if (!one.disagreement) continue;
    const double x = std::abs(one.divergence());
    figure.points.push_back(
        {x, *one.disagreement, design.models[one.model].name, design.backends[one.backend].name,
         fmt::format("{} · {} · {} · {} {}\n|Δ| = {}, D = {}{}\n{} of {} items changed{}",
                     design.models[one.model].name, design.backends[one.backend].name, one.mode,
                     design.benchmarks[one.measure.benchmark].name, one.measure.metric,
                     digits(x, 4), digits(*one.disagreement, 4),
                     one.severe.value_or(false) ? ", severe" : "", one.changed.size(), one.items,
                     item_names(findings, one, kNamed))});
  }
  return figure;
}

}  // namespace tare::study
