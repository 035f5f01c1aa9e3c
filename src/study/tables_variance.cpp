#include <cmath>
#include <map>

#include "stats/backend_effects.h"
#include "study/numbers.h"
#include "study/tables.h"

namespace tare::study {
namespace {

using report::Table;
using Row = std::vector<std::string>;

/// Scores of all backends that are for the model; nothing where one is missing.
std::optional<std::vector<double>> scores_of(const Design& design, const Grid& grid,
                                             std::size_t model, const std::string& mode,
                                             const Measure& measure) {
  std::vector<double> scores;
  for (std::size_t backend = 0; backend < design.backends.size(); ++backend) {
    if (!is_for(design.backends[backend], design.models[model])) continue;
    const auto score = grid.score(model, backend, mode, measure);
    if (!score) return std::nullopt;
    scores.push_back(*score);
  }
  return scores;
}

struct MeanVariance {
  double mean = 0;
  std::size_t pairs = 0, left_out = 0;
};

MeanVariance variance_in(const Design& design, const Grid& grid, const std::string& mode) {
  MeanVariance found;
  double sum = 0;
  for (std::size_t model = 0; model < design.models.size(); ++model)
    for (const Measure& measure : grid.measures()) {
      const auto scores = scores_of(design, grid, model, mode, measure);
      const auto variance = scores ? stats::backend_variance(*scores) : std::nullopt;
      if (!variance) {
        ++found.left_out;
        continue;
      }
      sum += *variance;
      ++found.pairs;
    }
  if (found.pairs > 0) found.mean = sum / static_cast<double>(found.pairs);
  return found;
}

/// Where the variance of the default mode comes from, if the three modes are there.
void add_shares(const std::map<std::string, MeanVariance>& modes, Table& table) {
  for (const char* mode : {"deterministic", "fix", "default"})
    if (!modes.contains(mode) || modes.at(mode).pairs == 0) return;
  const auto shares = stats::variance_shares(
      {modes.at("deterministic").mean, modes.at("fix").mean, modes.at("default").mean});
  const auto percent = [&](double stats::VarianceShares::*share) -> std::string {
    return shares ? fmt::format("{:.1f} %", 100 * (*shares).*share) : kNothing;
  };
  table.rows.push_back(
      {"structural share of default", percent(&stats::VarianceShares::structural), ""});
  table.rows.push_back(
      {"sampling share of default", percent(&stats::VarianceShares::sampling), ""});
  table.rows.push_back(
      {"defaults' share of default", percent(&stats::VarianceShares::defaults), ""});
}

}  // namespace

Table table_variance(const Findings& findings) {
  const Grid grid(findings.design, findings.observations);
  Table table{
      "table-3",
      "Table 3. Variance of scores over backends",
      {"Mode", "Variance", "Pairs"},
      {},
      1,
      {"Mean over pairs of model and metric of the variance over all backends, the baseline "
       "among them (source, in words; divided by the number of backends: ours).",
       "Shares: V_det/V_def (derived), (V_fix − V_det)/V_def and (V_def − V_fix)/V_def (ours); "
       "a sequence of contributions, no causal decomposition, and one may be negative."}};
  std::map<std::string, MeanVariance> modes;
  std::size_t left_out = 0;
  for (const std::string& mode : findings.design.modes) {
    const MeanVariance& found = modes[mode] = variance_in(findings.design, grid, mode);
    left_out += found.left_out;
    table.rows.push_back({mode, found.pairs == 0 ? kNothing : digits(found.mean, 5),
                          fmt::format("{}", found.pairs)});
  }
  add_shares(modes, table);
  if (left_out > 0)
    table.notes.push_back(
        fmt::format("Pairs left out, since a backend has no score there: {}.", left_out));
  return table;
}

Table table_clusters(const Findings& findings) {
  const Design& design = findings.design;
  const Grid grid(design, findings.observations);
  Table table{
      "table-f",
      "Table F. Clustering of the backends' score vectors",
      {"Model", "Step", "Joined", "With", "Distance"},
      {},
      4,
      {"Average linkage of Euclidean distances between vectors of all scores, over modes and "
       "metrics (source by name; the method is ours). Backends that join early score alike."}};
  for (std::size_t model = 0; model < design.models.size(); ++model) {
    std::vector<std::string> names;
    for (const StudyBackend& backend : design.backends)
      if (is_for(backend, design.models[model])) names.push_back(backend.name);
    std::vector<std::vector<double>> vectors(names.size());
    for (const std::string& mode : design.modes)
      for (const Measure& measure : grid.measures())
        if (const auto scores = scores_of(design, grid, model, mode, measure))
          for (std::size_t i = 0; i < scores->size(); ++i) vectors[i].push_back((*scores)[i]);
    if (names.size() < 2 || vectors.front().empty()) continue;
    const auto joins = stats::cluster_by_average(vectors);
    for (std::size_t step = 0; step < joins.size(); ++step) {
      const stats::Join& join = joins[step];
      table.rows.push_back({design.models[model].name, fmt::format("{}", step + 1),
                            names[join.first], names[join.second], digits(join.distance, 4)});
      names.push_back(fmt::format("({} + {})", names[join.first], names[join.second]));
    }
  }
  return table;
}

}  // namespace tare::study
