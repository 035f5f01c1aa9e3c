#include "study/findings.h"

#include <algorithm>
#include <cmath>

namespace tare::study {

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

const std::string& structural_mode(const Design& design) {
  const auto found = std::ranges::find(design.modes, kDeterministic);
  return found == design.modes.end() ? design.modes.front() : *found;
}

}  // namespace tare::study
