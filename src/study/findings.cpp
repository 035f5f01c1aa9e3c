#include "study/findings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

namespace tare::study {
namespace {

/// The code of a run's warning that its data is a part of the benchmark.
constexpr std::string_view kPartialData = "partial-data";

}  // namespace

Those those(const Findings& findings, const std::function<bool(const Comparison&)>& wanted) {
  Those found;
  for (const Comparison& one : findings.comparisons)
    if (wanted(one)) found.push_back(&one);
  return found;
}

std::optional<double> mean_divergence(const Those& comparisons) {
  if (comparisons.empty()) return std::nullopt;
  double sum = 0;
  for (const Comparison* one : comparisons) sum += std::abs(one->divergence());
  return sum / static_cast<double>(comparisons.size());
}

Share significant(const Those& comparisons, double alpha) {
  Share share;
  for (const Comparison* one : comparisons) {
    share.whole += one->p ? 1 : 0;
    share.part += one->significant(alpha) ? 1 : 0;
  }
  return share;
}

std::vector<std::size_t> targets(const Design& design) {
  std::vector<std::size_t> all;
  for (std::size_t i = 0; i < design.backends.size(); ++i)
    if (design.backends[i].name != design.baseline) all.push_back(i);
  return all;
}

std::string partial_note(const Findings& findings) {
  std::string parts;
  for (std::size_t i = 0; i < findings.sampled.size(); ++i)
    if (const auto [part, whole] = findings.sampled[i]; part < whole)
      parts += fmt::format("{}{} ({} of {} documents)", parts.empty() ? "" : ", ",
                           findings.design.benchmarks[i].name, part, whole);
  for (const core::Warning& warning : findings.run_warnings)
    if (warning.code == kPartialData)
      parts += fmt::format("{}{}", parts.empty() ? "" : "; ", warning.text);
  return parts.empty() ? "" : fmt::format("Partial data: {}.", parts);
}

const std::string& structural_mode(const Design& design) {
  const auto found = std::ranges::find(design.modes, kDeterministic);
  return found == design.modes.end() ? design.modes.front() : *found;
}

}  // namespace tare::study
