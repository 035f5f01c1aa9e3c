#include "study/selection.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <string_view>

#include "base/hash.h"
#include "base/python_random.h"

namespace tare::study {
namespace {

/// A seed of its own for each stratum, so that one more stratum changes nothing in the others.
std::int64_t stratum_seed(const Stratum& stratum, std::int64_t seed) {
  constexpr std::size_t kDigits = 15;  // of a hash: below 2^60
  const std::string hash =
      base::sha256_hex(fmt::format("{}\n{}\n{}", seed, stratum.task, stratum.name));
  return std::stoll(hash.substr(0, kDigits), nullptr, 16);
}

/// The stratum that is owed the most beyond what it has; its index, or sizes.size() if all are
/// full.
std::size_t most_owed(std::span<const std::size_t> sizes, std::span<const std::size_t> places,
                      double share) {
  std::size_t best = sizes.size();
  double most = 0;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (places[i] >= sizes[i]) continue;
    const double owed = share * static_cast<double>(sizes[i]) - static_cast<double>(places[i]);
    if (best == sizes.size() || owed > most) {
      best = i;
      most = owed;
    }
  }
  return best;
}

}  // namespace

std::vector<std::size_t> allocate(std::size_t limit, std::span<const std::size_t> sizes) {
  const std::size_t all = std::accumulate(sizes.begin(), sizes.end(), std::size_t{0});
  if (limit >= all) return {sizes.begin(), sizes.end()};
  std::vector<std::size_t> places(sizes.size(), 0);
  const double share = static_cast<double>(limit) / static_cast<double>(all);
  std::size_t given = 0;
  const bool one_each = limit >= sizes.size();
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    places[i] = static_cast<std::size_t>(share * static_cast<double>(sizes[i]));
    if (one_each && sizes[i] > 0) places[i] = std::max<std::size_t>(places[i], 1);
    given += places[i];
  }
  for (; given < limit; ++given) ++places[most_owed(sizes, places, share)];
  for (; given > limit; --given) --*std::ranges::max_element(places);
  return places;
}

Selection select(std::span<const Stratum> strata, std::size_t limit, std::int64_t seed) {
  std::vector<std::size_t> sizes;
  for (const Stratum& stratum : strata) sizes.push_back(stratum.documents.size());
  const std::vector<std::size_t> places = allocate(limit, sizes);
  Selection chosen;
  for (std::size_t i = 0; i < strata.size(); ++i) {
    base::PythonRandom random(stratum_seed(strata[i], seed));
    const auto order = random.shuffled(sizes[i]);
    for (std::size_t k = 0; k < places[i]; ++k)
      chosen[strata[i].task].push_back(strata[i].documents[order[k]]);
  }
  for (auto& [task, documents] : chosen) std::ranges::sort(documents);
  return chosen;
}

}  // namespace tare::study
