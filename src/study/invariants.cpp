#include "study/invariants.h"

#include <fmt/format.h>

#include <cmath>

namespace tare::study {
namespace {

/// Of sums in another order than that of the items.
constexpr double kRounding = 1e-9;

struct Held {
  std::size_t part = 0, whole = 0;
  std::string broken;  ///< the first one that does not hold

  void count(bool holds, const std::string& where) {
    ++whole;
    part += holds ? 1 : 0;
    if (!holds && broken.empty()) broken = where;
  }
};

std::string place(const Design& design, const Comparison& one) {
  return fmt::format("{}, {}, {}, {} {}", design.models[one.model].name,
                     design.backends[one.backend].name, one.mode,
                     design.benchmarks[one.measure.benchmark].name, one.measure.metric);
}

void add(const std::string& claim, const Held& held, std::vector<Invariant>& all) {
  if (held.whole == 0) return;
  const bool holds = held.part == held.whole;
  all.push_back(
      {holds ? fmt::format("{}: holds in {} of {} comparisons.", claim, held.part, held.whole)
             : fmt::format("{}: BROKEN in {} of {} comparisons, first {}.", claim,
                           held.whole - held.part, held.whole, held.broken),
       holds});
}

/// The library that ran a model for a backend, e.g. "hf"; "" where no run tells.
std::string engine_of(const Findings& findings, std::size_t model, const std::string& backend) {
  for (const BackendFacts& known : findings.facts)
    if (known.model == model && findings.design.backends[known.backend].name == backend)
      return known.facts.backend;
  return "";
}

/// hf-pipeline asks the same model object as hf.
bool wraps_same_object(const Findings& findings, const Comparison& one) {
  const std::string first = engine_of(findings, one.model, findings.design.baseline);
  const std::string second =
      engine_of(findings, one.model, findings.design.backends[one.backend].name);
  return (first == "hf" && second == "hf-pipeline") || (first == "hf-pipeline" && second == "hf");
}

/// A mean over repetitions can move although no majority does.
bool bounds_divergence(const Comparison& one) {
  return one.disagreement && !(one.verdicts && one.repetitions > 1);
}

}  // namespace

std::vector<Invariant> invariants_of(const Findings& findings) {
  Held bounded, exact;
  for (const Comparison& one : findings.comparisons) {
    const std::string where = place(findings.design, one);
    if (bounds_divergence(one))
      bounded.count(std::abs(one.divergence()) <= *one.disagreement + kRounding, where);
    if (one.mode == kDeterministic && one.disagreement && wraps_same_object(findings, one))
      exact.count(one.divergence() == 0 && *one.disagreement == 0, where);
  }
  std::vector<Invariant> all;
  add("|Δ| ≤ D where each item has one verdict or a graded score", bounded, all);
  add("hf-pipeline and hf, the same model object, in mode deterministic: Δ and D are exactly 0",
      exact, all);
  return all;
}

}  // namespace tare::study
