#include "stats/bootstrap.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "base/python_random.h"
#include "stats/estimates.h"

namespace tare::stats {
namespace {

/// random.choices(x, k=n), without weights: floor(random() · n) a draw.
template <class T>
void resample(std::span<const T> x, base::PythonRandom& random, std::vector<T>& out) {
  const auto n = static_cast<double>(x.size());
  for (T& item : out) item = x[static_cast<std::size_t>(random.random() * n)];
}

template <class T, class Statistic>
std::optional<double> bootstrap(std::span<const T> x, const Statistic& statistic,
                                std::size_t iterations) {
  if (x.size() <= 1 || iterations == 0) return std::nullopt;
  const std::size_t chunk = std::min<std::size_t>(1000, iterations);
  const std::size_t chunks = iterations / chunk;
  std::vector<double> replicates;
  replicates.reserve(chunks * chunk);
  std::vector<T> drawn(x.size());
  for (std::size_t i = 0; i < chunks; ++i) {
    base::PythonRandom random(static_cast<std::int64_t>(i));
    for (std::size_t k = 0; k < chunk; ++k) {
      resample(x, random, drawn);
      replicates.push_back(statistic(std::span<const T>(drawn)));
    }
  }
  return sample_stddev(replicates);
}

}  // namespace

std::optional<double> bootstrap_stderr(
    std::span<const double> x, const std::function<double(std::span<const double>)>& statistic,
    std::size_t iterations) {
  return bootstrap(x, statistic, iterations);
}

std::optional<double> bootstrap_stderr(
    std::span<const Classified> x,
    const std::function<double(std::span<const Classified>)>& statistic, std::size_t iterations) {
  return bootstrap(x, statistic, iterations);
}

std::optional<double> bootstrap_stderr(
    std::size_t n, const std::function<double(std::span<const std::size_t>)>& statistic,
    std::size_t iterations) {
  std::vector<std::size_t> indices(n);
  std::iota(indices.begin(), indices.end(), std::size_t{0});
  return bootstrap(std::span<const std::size_t>(indices), statistic, iterations);
}

}  // namespace tare::stats
