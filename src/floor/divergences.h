#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace tare::floor {

/// What a setting's rows of logits are, position by position, for one window of tokens.
struct WindowRows {
  std::vector<double> divergence;  ///< KL(reference‖setting), nats; empty for the reference itself
  std::vector<double> truth;       ///< ln of the probability of the token that comes next
  std::vector<bool> same_top;      ///< both rows are greatest in the same place
  std::vector<bool> equal;         ///< both rows are the same bits
};

/// How many positions have a KL of which size, in bins of a quarter of a decade. The first bin
/// takes what is below it too, the last one what is above.
struct Histogram {
  static constexpr int kLowestDecade = -12, kHighestDecade = 2;
  static constexpr std::size_t kPerDecade = 4;
  static constexpr std::size_t kBins = (kHighestDecade - kLowestDecade) * kPerDecade;

  std::size_t zero = 0;  ///< positions whose KL is 0
  std::array<std::size_t, kBins> counts{};

  void add(double divergence);
};

/// The rows of a setting over all windows, in nats.
struct Divergences {
  std::size_t positions = 0;
  double mean = 0, median = 0, p99 = 0, most = 0;  ///< of KL(reference‖setting)
  double mean_change = 0, most_change = 0;         ///< of |Δ ln p(next token)|
  double same_top = 0;                             ///< share of positions
  double equal = 0;                                ///< share of positions
  Histogram histogram{};

  [[nodiscard]] bool all_equal() const { return equal == 1; }
};

/// Windows of a setting and of the reference, in the same order. Nothing for no position. Quantiles
/// lie between neighbours in proportion (Hyndman & Fan's type 7).
std::optional<Divergences> summarize(std::span<const WindowRows* const> setting,
                                     std::span<const WindowRows* const> reference);

/// −mean ln p(next token).
std::optional<double> mean_loss(std::span<const WindowRows* const> windows);

}  // namespace tare::floor
