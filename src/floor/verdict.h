#pragma once

#include <optional>
#include <string>
#include <vector>

namespace tare::floor {

/// The greatest divergence that settings make which are not pinned.
struct Floor {
  double divergence = 0;  ///< mean KL in nats
  std::string setting;    ///< that makes it
};

/// How the answers of two files to benchmark items differ, at the reference setting.
struct AnswerDifference {
  double p_value = 1;          ///< the least of the tasks' paired tests, after Holm
  double alpha = 0.05;         ///< level of these tests
  double accuracy_change = 0;  ///< the greatest |Δ accuracy| of a task
  /// The greatest |Δ accuracy| that a setting makes of either file; unknown where none was tried.
  std::optional<double> floor_change;
};

/// What is known of two files.
struct Evidence {
  bool same_bytes = false;
  bool same_rows = false;  ///< all rows of logits are equal bit for bit
  double divergence = 0;   ///< mean KL(A‖B) at the reference, nats
  std::optional<Floor> floor_a, floor_b;
  std::optional<AnswerDifference> answers;  ///< none: no items were asked
};

enum class Judgement {
  identical,
  within_noise,
  distinguishable,
  undecided,  ///< the logits differ by more than noise, and what the answers do is not known
};

std::string_view judgement_name(Judgement judgement);

/// One of the three conditions, all of which two distinguishable files meet.
struct Condition {
  std::optional<bool> holds;  ///< none: not known
  std::string text;           ///< with both numbers
};

struct Verdict {
  Judgement judgement = Judgement::undecided;
  std::string sentence;               ///< "within execution noise: ..."
  std::vector<Condition> conditions;  ///< a, b, c; empty for identical files
};

/// Two files are distinguishable if (a) KL(A‖B) is above the floor of each, (b) a paired test of
/// their answers at the pinned setting is significant after Holm and (c) |Δ accuracy| is above the
/// greatest that a setting makes. One that fails is enough for "within execution noise".
Verdict judge(const Evidence& evidence);

}  // namespace tare::floor
