#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/python.h"
#include "study/document.h"
#include "study/numbers.h"
#include "task/generation_mode.h"

namespace tare::study {
namespace {

using base::Value;

/// "a=1, b=2" of a dict, without nested values.
std::string flat(const Value& dict) {
  std::vector<std::string> parts;
  if (dict.is_dict())
    for (const auto& [name, value] : dict.as_dict())
      if (!value.is_dict() && !value.is_list() && !value.is_none())
        parts.push_back(fmt::format("{}={}", base::python::str(name), base::python::str(value)));
  return parts.empty() ? "none" : fmt::format("{}", fmt::join(parts, ", "));
}

std::string backend_text(const Findings& findings, std::size_t backend) {
  const StudyBackend& one = findings.design.backends[backend];
  std::string text;
  for (const BackendFacts& known : findings.facts) {
    if (known.backend != backend) continue;
    if (text.empty())
      text = fmt::format("{} ({} {}; settings: {})", one.name, known.facts.backend,
                         known.facts.version, flat(known.facts.backend_settings));
  }
  return text.empty() ? one.name + " (no results)" : text;
}

std::string weights_text(const Findings& findings) {
  std::vector<std::string> parts;
  for (const BackendFacts& known : findings.facts)
    if (!known.facts.weights_sha256.empty())
      parts.push_back(fmt::format("{} in {}: SHA-256 {}", findings.design.models[known.model].name,
                                  findings.design.backends[known.backend].name,
                                  known.facts.weights_sha256));
  return parts.empty() ? "" : fmt::format(" Weights: {}.", fmt::join(parts, "; "));
}

std::string modes_text(const Design& design) {
  std::vector<std::string> parts;
  for (const std::string& name : design.modes) {
    const task::GenerationMode* mode = task::find_generation_mode(name);
    if (mode == nullptr) continue;
    const std::string given = flat(mode->arguments);
    parts.push_back(fmt::format(
        "{} ({}{}; {} answer{} to each prompt)", name,
        given == "none" ? "no parameter given" : given,
        mode->parameters == core::GenerationParameters::given ? ""
                                                              : ", all else left to the backend",
        repetitions_of(design, name), repetitions_of(design, name) == 1 ? "" : "s"));
  }
  return fmt::format("{}", fmt::join(parts, "; "));
}

std::string defaults_text(const Findings& findings) {
  std::vector<std::string> parts;
  for (std::size_t backend = 0; backend < findings.design.backends.size(); ++backend)
    for (const BackendFacts& known : findings.facts)
      if (known.backend == backend)
        parts.push_back(fmt::format("{} with {}: {}", findings.design.backends[backend].name,
                                    findings.design.models[known.model].name,
                                    known.facts.generation_defaults.is_dict()
                                        ? flat(known.facts.generation_defaults)
                                        : "could not be asked"));
  return fmt::format("{}", fmt::join(parts, "; "));
}

std::string benchmarks_text(const Findings& findings) {
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < findings.design.benchmarks.size(); ++i)
    parts.push_back(fmt::format("{} ({} items)", findings.design.benchmarks[i].name,
                                findings.observations.items[i].size()));
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string machine_text(const Findings& findings) {
  if (findings.facts.empty()) return "";
  const store::RunFacts& facts = findings.facts.front().facts;
  return fmt::format(" All runs were made with tare {} on: {}.", facts.build, flat(facts.machine));
}

std::string names_of(const Design& design) {
  std::vector<std::string> names;
  for (const StudyModel& model : design.models) names.push_back(model.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace

std::string methods_of(const Findings& findings) {
  const Design& design = findings.design;
  std::vector<std::string> backends;
  for (std::size_t i = 0; i < design.backends.size(); ++i)
    backends.push_back(backend_text(findings, i));
  std::string text = fmt::format(
      "We asked {} the same prompts through {} backends: {}. The baseline is {}.{} Benchmarks: {}. "
      "Generation modes: {}. Where generation was left to the backend, it reported these defaults: "
      "{}.",
      names_of(design), design.backends.size(), fmt::join(backends, "; "), design.baseline,
      weights_text(findings), benchmarks_text(findings), modes_text(design),
      defaults_text(findings));
  text += fmt::format(
      " Repetition r was sampled with seed {} + r − 1 where the backend takes one. Scores are "
      "calibrated to [0, 1] and averaged over repetitions, then items; items, not answers, are the "
      "units of all tests. Single verdicts were compared by McNemar's exact test, all else by a "
      "sign-flip permutation test ({} permutations), two-sided at {:g} with Holm's correction over "
      "the models and metrics of each backend and mode; intervals are percentile bootstraps ({} "
      "resamples) over clusters of items.",
      design.seed, design.resamples, design.alpha, design.resamples);
  return text + machine_text(findings);
}

}  // namespace tare::study
