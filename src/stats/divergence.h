#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace tare::stats {

/// ln Σ exp(x), in double. NaN where x holds NaN or +∞, or nothing above −∞.
double log_sum_exp(std::span<const float> x);

/// ln of the softmax probability that `logits` give to one place; nothing where they are no
/// numbers.
std::optional<double> log_probability(std::span<const float> logits, std::size_t place);

/// How a row of logits differs from the reference's row for the same tokens.
struct RowDivergence {
  /// KL(p‖q) = Σ p (ln p − ln q) in nats, p the reference's softmax, q the other one's; the sum in
  /// double from float32 logits. Never below 0: what rounding leaves there is cut.
  double divergence = 0;
  bool same_top = true;  ///< the greatest logit stands in the same place
  bool equal = true;     ///< bit for bit
};

/// Nothing where one of the rows is no numbers (see log_sum_exp). The rows are of one length ≥ 1.
std::optional<RowDivergence> row_divergence(std::span<const float> reference,
                                            std::span<const float> other);

}  // namespace tare::stats
