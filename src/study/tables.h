#pragma once

#include <string>
#include <vector>

#include "report/scatter.h"
#include "report/table.h"
#include "study/findings.h"

/// The tables and the figure of source 000, in its numbering. Each note says what is the source's,
/// what follows from it, and what is ours.
namespace tare::study {

/// Mean |Δ| by model and backend where only the machinery differs, with significant of tested.
report::Table table_divergence(const Findings& findings);
/// How many comparisons are significant, by backend and mode.
report::Table table_significant(const Findings& findings);
/// Variance over backends in each mode, and where that of the default mode comes from.
report::Table table_variance(const Findings& findings);
/// How many configurations are severe, by model and benchmark.
report::Table table_severe(const Findings& findings);
/// Mean |Δ| by family of benchmarks, for each model and mode.
report::Table table_families(const Findings& findings);
/// What each backend decides by itself, as it says.
report::Table table_defaults(const Findings& findings);
/// The greatest effect size |r| by model, mode and backend.
report::Table table_effects(const Findings& findings);

/// Appendices D, E and F of the source by name.
report::Table table_kappa(const Findings& findings);
report::Table table_overlap(const Findings& findings);
report::Table table_clusters(const Findings& findings);

/// How much answers of one backend differ between repetitions: ours.
report::Table table_floor(const Findings& findings);
/// One row a comparison, with everything that was computed.
report::Table table_comparisons(const Findings& findings);

/// All of them, in this order.
std::vector<report::Table> tables_of(const Findings& findings);

/// Figure 1: disagreement against |Δ|, a point for each comparison that has both.
report::Scatter figure_of(const Findings& findings);

}  // namespace tare::study
