#pragma once

#include <string>
#include <vector>

#include "study/findings.h"

namespace tare::study {

/// Something that holds of every study whose runs and numbers are right.
struct Invariant {
  std::string text;  ///< what was looked at, and how often it held
  bool holds = true;
};

/// The invariants of source 000 §3.6, looked at in this study: what follows from the definitions of
/// Δ and D, and that a wrapping of the same model object changes no greedy answer. One that the
/// study has no comparison for is left out.
std::vector<Invariant> invariants_of(const Findings& findings);

}  // namespace tare::study
