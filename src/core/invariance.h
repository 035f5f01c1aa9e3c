#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace tare::core {

/// Whether an answer depends on its question alone: not on what is computed beside it, in which
/// order, with what left in the cache, in decodes of which size or on how many threads.
enum class InvarianceVerdict {
  held,             ///< measured: each comparison was equal bit for bit
  broken,           ///< measured: some differed, however narrow the class of shapes
  not_measured,     ///< the backend cannot be probed, or there was nothing to ask; no pass
  not_promised,     ///< fast mode
  by_construction,  ///< the backend does not compute: its answers are looked up
};

/// The same items computed in another way than the reference's.
struct InvarianceTrial {
  std::string name;  ///< stable, e.g. "alone"
  std::size_t comparisons = 0;
  std::size_t differing = 0;  ///< of these, that were not equal bit for bit
};

/// What a probe found in one class of shapes.
struct InvarianceAttempt {
  std::string shape_class;  ///< "tile 8", "one sequence at a time"
  std::vector<InvarianceTrial> trials;
};

/// What was found before a run's questions were asked. Holds no time and no number of threads.
struct Invariance {
  InvarianceVerdict verdict = InvarianceVerdict::not_measured;
  /// From the class of shapes that was asked for to the one in force, each narrower than the one
  /// before; empty unless it was measured.
  std::vector<InvarianceAttempt> attempts;
};

inline std::size_t comparisons(const InvarianceAttempt& attempt) {
  std::size_t count = 0;
  for (const InvarianceTrial& trial : attempt.trials) count += trial.comparisons;
  return count;
}

inline std::size_t differing(const InvarianceAttempt& attempt) {
  std::size_t count = 0;
  for (const InvarianceTrial& trial : attempt.trials) count += trial.differing;
  return count;
}

}  // namespace tare::core
