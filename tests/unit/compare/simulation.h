#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/python_random.h"
#include "compare/pairing.h"

namespace tare::test {

/// Two runs whose scores are known, as far as a simulation may know them.
struct Regime {
  std::size_t items = 0;
  double first = 0, second = 0;  ///< true scores
  double correlation = 0;        ///< of the two verdicts, or values, on one item
  bool verdicts = true;          ///< else values: skewed, between 0 and infinity
};

/// Regimes from few items to many, from unlike runs to nearly equal ones.
std::vector<Regime> regimes();

/// One pair of runs.
compare::Series simulate(const Regime& regime, base::PythonRandom& random);

/// How a method did over many pairs.
struct Record {
  std::size_t intervals = 0, covered = 0, found = 0;
  double width = 0;  ///< summed

  void add(double low, double high, double truth, double p);
  [[nodiscard]] double coverage() const;
};

/// Of one regime: the paired interval and exact test, and the unpaired z-test of lm-eval.
struct Records {
  Record paired, unpaired;
};

/// The same seed gives the same records.
std::vector<Records> run_simulation(std::size_t pairs, std::int64_t seed);

/// As docs/guide/compare.md has it.
std::string simulation_table(const std::vector<Records>& records);

}  // namespace tare::test
