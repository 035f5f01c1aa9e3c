#include "stats/backend_effects.h"

#include <algorithm>
#include <cmath>

#include "stats/estimates.h"

namespace tare::stats {
namespace {

double euclidean(const std::vector<double>& a, const std::vector<double>& b) {
  double squares = 0;
  for (std::size_t i = 0; i < a.size(); ++i) squares += (a[i] - b[i]) * (a[i] - b[i]);
  return std::sqrt(squares);
}

/// A cluster that has not been joined yet, and how far it is from each of the others.
struct Cluster {
  std::size_t name = 0;
  std::size_t size = 1;
  std::vector<double> distances;  ///< by position in the list of clusters
};

struct Nearest {
  std::size_t first = 0, second = 0;
  double distance = 0;
};

Nearest nearest_pair(const std::vector<Cluster>& clusters) {
  Nearest nearest{0, 1, clusters[0].distances[1]};
  for (std::size_t a = 0; a < clusters.size(); ++a)
    for (std::size_t b = a + 1; b < clusters.size(); ++b)
      if (clusters[a].distances[b] < nearest.distance) nearest = {a, b, clusters[a].distances[b]};
  return nearest;
}

/// The second one goes into the first, whose distances become means over items.
void merge(std::vector<Cluster>& clusters, const Nearest& pair, std::size_t name) {
  Cluster& first = clusters[pair.first];
  const Cluster& second = clusters[pair.second];
  const auto a = static_cast<double>(first.size), b = static_cast<double>(second.size);
  for (std::size_t i = 0; i < clusters.size(); ++i) {
    if (i == pair.first || i == pair.second) continue;
    const double distance = (a * first.distances[i] + b * second.distances[i]) / (a + b);
    first.distances[i] = clusters[i].distances[pair.first] = distance;
  }
  first.size += second.size;
  first.name = name;
  const auto gone = static_cast<std::ptrdiff_t>(pair.second);
  clusters.erase(clusters.begin() + gone);
  for (Cluster& cluster : clusters) cluster.distances.erase(cluster.distances.begin() + gone);
}

std::vector<Cluster> singletons(std::span<const std::vector<double>> vectors) {
  std::vector<Cluster> clusters;
  for (std::size_t i = 0; i < vectors.size(); ++i) {
    clusters.push_back({i, 1, {}});
    for (const auto& other : vectors)
      clusters.back().distances.push_back(euclidean(vectors[i], other));
  }
  return clusters;
}

}  // namespace

double calibrate(double raw, Ideal ideal) {
  switch (ideal) {
    case Ideal::one:
      return raw;
    case Ideal::zero:
      return 1 - std::abs(raw);
    case Ideal::half:
      return 1 - 2 * std::abs(raw - 0.5);
  }
  return raw;
}

std::optional<double> backend_variance(std::span<const double> scores, std::size_t ddof) {
  if (scores.size() <= ddof) return std::nullopt;
  const double centre = mean(scores);
  double squares = 0;
  for (const double score : scores) squares += (score - centre) * (score - centre);
  if (std::isnan(squares)) return std::nullopt;
  return squares / static_cast<double>(scores.size() - ddof);
}

std::optional<VarianceShares> variance_shares(const ModeVariances& variances) {
  const double whole = variances.defaults;
  if (!(whole > 0)) return std::nullopt;
  return VarianceShares{variances.deterministic / whole,
                        (variances.fix - variances.deterministic) / whole,
                        (whole - variances.fix) / whole};
}

std::vector<Join> cluster_by_average(std::span<const std::vector<double>> vectors) {
  std::vector<Cluster> clusters = singletons(vectors);
  std::vector<Join> joins;
  while (clusters.size() > 1) {
    const Nearest pair = nearest_pair(clusters);
    const auto [low, high] = std::minmax(clusters[pair.first].name, clusters[pair.second].name);
    joins.push_back(
        {low, high, pair.distance, clusters[pair.first].size + clusters[pair.second].size});
    merge(clusters, pair, vectors.size() + joins.size() - 1);
  }
  return joins;
}

}  // namespace tare::stats
