#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"
#include "core/score.h"

/// llama.cpp's CPU library is built once per level of instruction set ("tier": x64, haswell, zen4,
/// ...); one of them is loaded.
namespace tare::backend::llama {

struct Tier {
  std::string name;
  std::filesystem::path library;
  int score = 0;  ///< llama.cpp's own ranking; 0: the CPU lacks instructions
};

/// The tiers that were built, best for this CPU first, those that it cannot run last.
std::vector<Tier> list_tiers();

/// How a probe of a tier ended.
struct ProbeOutcome {
  bool passed = false;
  std::string reason;  ///< "killed by signal 4 (SIGILL)", "gave wrong products", ""
};

/// Runs `prober --probe-tier NAME` and waits for it (10 s at most). CPU flags alone do not tell:
/// some virtual machines announce AMX and kill what uses it.
ProbeOutcome probe_tier(const std::filesystem::path& prober, const std::string& name);

struct TierChoice {
  Tier tier;
  std::vector<core::Warning> warnings;  ///< one per better tier that failed its probe
};

/// The tier named by `wanted`, or for "auto" the best one that passes its probe. `prober` and
/// `cache` as in Options. Errors name the tiers there are.
base::Result<TierChoice> choose_tier(const std::string& wanted, const std::filesystem::path& prober,
                                     const std::filesystem::path& cache);

/// What the child process of probe_tier() does: loads that tier's library, multiplies small
/// matrices of several number formats with it and compares the products. Returns the exit code, 0
/// if all is well.
int run_tier_probe(const std::string& name);

}  // namespace tare::backend::llama
