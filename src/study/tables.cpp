#include "study/tables.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "base/python.h"
#include "stats/backend_effects.h"
#include "stats/multiplicity.h"
#include "study/numbers.h"

namespace tare::study {
namespace {

using report::Table;
using Row = std::vector<std::string>;

constexpr const char* kHolm =
    "Significant: p below the level after Holm's correction over the models and per-item metrics "
    "of "
    "the backend and mode; McNemar's exact test for single verdicts, else sign flips of paired "
    "differences (ours: the source names no test and no correction).";
constexpr const char* kNoResults = "A dash stands where there are no results.";

std::string of_whole(const Share& share) {
  return share.whole == 0 ? kNothing : fmt::format("{}/{}", share.part, share.whole);
}

Row backend_headers(const Design& design, Row headers) {
  for (const std::size_t backend : targets(design))
    headers.push_back(design.backends[backend].name);
  return headers;
}

}  // namespace

Table table_divergence(const Findings& findings) {
  const Design& design = findings.design;
  const std::string& mode = structural_mode(design);
  Table table{
      "table-1",
      fmt::format("Table 1. Mean |Δ| from {} in mode {} (significant of tested)", design.baseline,
                  mode),
      backend_headers(design, {"Model"}),
      {},
      1,
      {"Mean over all metrics, ratios of counts included; Δ is the difference of calibrated "
       "scores (source, in words; the equation is derived).",
       kHolm, kNoResults}};
  for (std::size_t model = 0; model < design.models.size(); ++model) {
    Row row{design.models[model].name};
    for (const std::size_t backend : targets(design)) {
      const Those cell = those(findings, [&](const Comparison& one) {
        return one.model == model && one.backend == backend && one.mode == mode;
      });
      const auto mean = mean_divergence(cell);
      row.push_back(
          mean ? fmt::format("{} ({})", digits(*mean, 3), of_whole(significant(cell, design.alpha)))
               : kNothing);
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

Table table_significant(const Findings& findings) {
  const Design& design = findings.design;
  Table table{
      "table-2",
      fmt::format("Table 2. Comparisons that differ significantly from {}", design.baseline),
      {"Backend"},
      {},
      1,
      {"Of the models' per-item metrics (source: of 33).", kHolm, kNoResults}};
  table.headers.insert(table.headers.end(), design.modes.begin(), design.modes.end());
  for (const std::size_t backend : targets(design)) {
    Row row{design.backends[backend].name};
    for (const std::string& mode : design.modes)
      row.push_back(of_whole(significant(
          those(findings,
                [&](const Comparison& one) { return one.backend == backend && one.mode == mode; }),
          design.alpha)));
    table.rows.push_back(std::move(row));
  }
  return table;
}

Table table_severe(const Findings& findings) {
  const Design& design = findings.design;
  Table table{
      "table-4",
      "Table 4. Severe configurations of backend × mode",
      {"Model"},
      {},
      1,
      {fmt::format("Severe: √(Δ² + D²) > {} (derived from the source's \"5% threshold\" and "
                   "its quarter circle). A configuration counts where one metric of the "
                   "benchmark that has a D is severe (ours).",
                   design.radius),
       kNoResults}};
  for (const Benchmark& benchmark : design.benchmarks) table.headers.push_back(benchmark.name);
  for (std::size_t model = 0; model < design.models.size(); ++model) {
    Row row{design.models[model].name};
    for (std::size_t benchmark = 0; benchmark < design.benchmarks.size(); ++benchmark) {
      std::set<std::pair<std::size_t, std::string>> all, severe;
      for (const Comparison& one : findings.comparisons) {
        if (one.model != model || one.measure.benchmark != benchmark || !one.severe) continue;
        all.emplace(one.backend, one.mode);
        if (*one.severe) severe.emplace(one.backend, one.mode);
      }
      row.push_back(of_whole({severe.size(), all.size()}));
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

namespace {

/// The families of the design's benchmarks, each once, in order.
Row families_of(const Design& design) {
  Row families;
  for (const Benchmark& benchmark : design.benchmarks)
    if (std::ranges::find(families, benchmark.family) == families.end())
      families.push_back(benchmark.family);
  return families;
}

/// Whether any of these tests is significant after a correction over these alone.
std::optional<bool> any_significant(const Those& comparisons, double alpha) {
  std::vector<double> p;
  for (const Comparison* one : comparisons)
    if (one->p) p.push_back(*one->p);
  if (p.empty()) return std::nullopt;
  const auto adjusted = stats::holm(p);
  return std::ranges::any_of(adjusted, [&](double value) { return value < alpha; });
}

void add_families(const Findings& findings, std::size_t model, const std::string& mode,
                  const Row& families, std::vector<Share>& totals, Row& row) {
  for (std::size_t f = 0; f < families.size(); ++f) {
    const Those cell = those(findings, [&](const Comparison& one) {
      return one.model == model && one.mode == mode &&
             findings.design.benchmarks[one.measure.benchmark].family == families[f];
    });
    const auto found = any_significant(cell, findings.design.alpha);
    totals[f].whole += found ? 1 : 0;
    totals[f].part += found.value_or(false) ? 1 : 0;
    row.push_back(digits(mean_divergence(cell), 4));
    row.emplace_back(!found ? kNothing : *found ? "yes" : "no");
  }
}

}  // namespace

Table table_families(const Findings& findings) {
  const Design& design = findings.design;
  const Row families = families_of(design);
  Table table{"table-5",
              fmt::format("Table 5. Mean |Δ| from {} by family of benchmarks", design.baseline),
              {"Model", "Mode"},
              {},
              2,
              {"Mean over backends and metrics (source, in words). Significant: one of these "
               "comparisons is, after Holm's correction over them (ours).",
               kNoResults}};
  for (const std::string& family : families) {
    table.headers.push_back(family);
    table.headers.push_back("significant");
  }
  std::vector<Share> totals(families.size());
  for (std::size_t model = 0; model < design.models.size(); ++model)
    for (const std::string& mode : design.modes) {
      Row row{design.models[model].name, mode};
      add_families(findings, model, mode, families, totals, row);
      table.rows.push_back(std::move(row));
    }
  Row last{"significant in", ""};
  for (const Share& total : totals) {
    last.emplace_back();
    last.push_back(of_whole(total));
  }
  table.rows.push_back(std::move(last));
  return table;
}

namespace {

std::string settings_text(const base::Value& dict) {
  if (!dict.is_dict()) return "could not be asked";
  std::string text;
  for (const auto& [name, value] : dict.as_dict())
    text += fmt::format("{}{}={}", text.empty() ? "" : ", ", base::python::str(name),
                        parameter_text(value));
  return text.empty() ? "none" : text;
}

}  // namespace

Table table_defaults(const Findings& findings) {
  Table table{"table-6",
              "Table 6. What each backend decides by itself",
              {"Backend", "Model", "Version", "Generation defaults"},
              {},
              4,
              {"As the backend reported or applied it in this study, never as documented elsewhere "
               "(ours)."}};
  for (std::size_t backend = 0; backend < findings.design.backends.size(); ++backend)
    for (const BackendFacts& one : findings.facts)
      if (one.backend == backend)
        table.rows.push_back({findings.design.backends[backend].name,
                              findings.design.models[one.model].name,
                              fmt::format("{} {}", one.facts.backend, one.facts.version),
                              settings_text(one.facts.generation_defaults)});
  return table;
}

Table table_effects(const Findings& findings) {
  const Design& design = findings.design;
  Table table{
      "table-7",
      "Table 7. Greatest effect size |r|",
      backend_headers(design, {"Model", "Mode"}),
      {},
      2,
      {"|r| = |z|/√n of Wilcoxon's signed-rank test with Pratt's zeros (source by name, the "
       "formula is ours); in brackets the mean over metrics.",
       kNoResults}};
  for (std::size_t model = 0; model < design.models.size(); ++model)
    for (const std::string& mode : design.modes) {
      Row row{design.models[model].name, mode};
      for (const std::size_t backend : targets(design)) {
        double most = 0, sum = 0;
        std::size_t count = 0;
        for (const Comparison& one : findings.comparisons) {
          if (one.model != model || one.backend != backend || one.mode != mode || !one.effect)
            continue;
          most = std::max(most, *one.effect);
          sum += *one.effect;
          ++count;
        }
        row.push_back(count == 0
                          ? kNothing
                          : fmt::format("{:.2f} ({:.2f})", most, sum / static_cast<double>(count)));
      }
      table.rows.push_back(std::move(row));
    }
  return table;
}

std::vector<Table> tables_of(const Findings& findings) {
  std::vector<Table> tables{
      table_divergence(findings), table_significant(findings), table_variance(findings),
      table_severe(findings),     table_families(findings),    table_defaults(findings),
      table_effects(findings),    table_kappa(findings),       table_overlap(findings),
      table_clusters(findings),   table_floor(findings),       table_comparisons(findings)};
  if (const std::string note = partial_note(findings); !note.empty())
    for (Table& table : tables) table.notes.push_back(note);
  return tables;
}

}  // namespace tare::study
