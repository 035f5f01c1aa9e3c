#include "backend/llama/tiers.h"

#include <fmt/format.h>

#include <algorithm>

#include "backend/llama/child_process.h"
#include "backend/llama/library.h"
#include "backend/llama/tier_memory.h"
#include "base/nearest.h"

namespace tare::backend::llama {
namespace {

namespace fs = std::filesystem;

constexpr auto kProbeLimit = std::chrono::seconds(10);
constexpr std::string_view kPrefix = "libggml-cpu";

/// "zen4" for libggml-cpu-zen4.so; "default" for the only library of a build without tiers.
std::string tier_name(const fs::path& file) {
  const std::string stem = file.stem().string();
  if (!stem.starts_with(kPrefix) || (file.extension() != ".so" && file.extension() != ".dylib"))
    return "";
  if (stem == kPrefix) return "default";
  return stem[kPrefix.size()] == '-' ? stem.substr(kPrefix.size() + 1) : "";
}

/// The library itself knows what its instructions need; it answers from code that any CPU can run.
int score_of(const fs::path& file) {
  const auto library = Library::open(file);
  if (!library) return 0;
  using Score = int (*)();
  const auto score = reinterpret_cast<Score>(library->find("ggml_backend_score"));
  return score == nullptr ? 1 : score();
}

std::string joined(const std::vector<std::string>& names) {
  return fmt::format("{}", fmt::join(names, ", "));
}

base::Failure unknown_tier(const std::string& wanted, const std::vector<Tier>& tiers) {
  std::vector<std::string> usable, others;
  for (const Tier& tier : tiers) (tier.score > 0 ? usable : others).push_back(tier.name);
  const bool exists = std::ranges::find(others, wanted) != others.end();
  std::string text =
      fmt::format("CPU tier '{}' {}; this CPU can run {}", wanted,
                  exists ? "needs instructions that this CPU lacks" : "is unknown", joined(usable));
  if (!exists && !others.empty()) text += fmt::format(" (and not {})", joined(others));
  return base::usage_error(text);
}

core::Warning skipped(const Tier& tier, const std::string& reason) {
  return {.code = "cpu-tier-skipped",
          .text = fmt::format("CPU tier {} {} in its probe although the CPU announces its "
                              "instructions; the next one is used",
                              tier.name, reason)};
}

}  // namespace

std::vector<Tier> list_tiers() {
  std::vector<Tier> tiers;
  std::error_code fault;
  for (const auto& entry : fs::directory_iterator(library_folder(), fault)) {
    const std::string name = tier_name(entry.path());
    if (!name.empty()) tiers.push_back({name, entry.path(), score_of(entry.path())});
  }
  std::ranges::sort(tiers, [](const Tier& a, const Tier& b) {
    return std::pair(-a.score, a.name) < std::pair(-b.score, b.name);
  });
  return tiers;
}

ProbeOutcome probe_tier(const fs::path& prober, const std::string& name) {
  const ChildEnd end = run_child(prober, {"--probe-tier", name}, kProbeLimit);
  if (!end.fault.empty())
    return {false, fmt::format("could not be tried ({}: {})", prober.string(), end.fault)};
  const std::string fault = fault_of(end, kProbeLimit);
  return {fault.empty(), fault};
}

base::Result<TierChoice> choose_tier(const std::string& wanted, const fs::path& prober,
                                     const fs::path& cache) {
  const TierMemory memory(cache);
  if (wanted == "auto")
    if (auto known = memory.recall()) return *known;
  const std::vector<Tier> tiers = list_tiers();
  if (tiers.empty())
    return base::work_failed(fmt::format("no CPU library of llama.cpp in {}; build tare again",
                                         library_folder().string()));
  TierChoice choice;
  for (const Tier& tier : tiers) {
    if (tier.score == 0 || (wanted != "auto" && wanted != tier.name)) continue;
    choice.tier = tier;
    const ProbeOutcome outcome =
        prober.empty() ? ProbeOutcome{true, ""} : probe_tier(prober, tier.name);
    if (outcome.passed) {
      if (wanted == "auto" && !prober.empty()) memory.remember(choice);
      return choice;
    }
    if (wanted != "auto")
      return base::input_error(
          fmt::format("CPU tier {} {}; choose another one, or auto", tier.name, outcome.reason));
    choice.warnings.push_back(skipped(tier, outcome.reason));
  }
  if (wanted != "auto") return unknown_tier(wanted, tiers);
  return base::work_failed(fmt::format("none of the CPU tiers of llama.cpp runs here; the last: {}",
                                       choice.warnings.empty() ? "" : choice.warnings.back().text));
}

}  // namespace tare::backend::llama
