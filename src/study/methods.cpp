#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <string_view>

#include "base/python.h"
#include "study/document.h"
#include "study/numbers.h"
#include "task/generation_mode.h"

namespace tare::study {
namespace {

using base::Value;

using Texts = std::vector<std::string>;

/// Parameters that shape what is generated, by the names of all backends. Table 6 has the others.
constexpr std::array<std::string_view, 17> kShaping{"do_sample",
                                                    "temperature",
                                                    "top_k",
                                                    "top_p",
                                                    "min_p",
                                                    "typical_p",
                                                    "top_n_sigma",
                                                    "repetition_penalty",
                                                    "repeat_penalty",
                                                    "presence_penalty",
                                                    "frequency_penalty",
                                                    "num_beams",
                                                    "max_new_tokens",
                                                    "max_tokens",
                                                    "max_length",
                                                    "n_predict",
                                                    "num_predict"};

bool is_shaping(std::string_view name) {
  return std::ranges::find(kShaping, name) != kShaping.end();
}

/// "a=1" of each value of a dict that is no dict, list or none.
Texts flat_parts(const Value& dict) {
  Texts parts;
  if (dict.is_dict())
    for (const auto& [name, value] : dict.as_dict())
      if (!value.is_dict() && !value.is_list() && !value.is_none())
        parts.push_back(fmt::format("{}={}", base::python::str(name), parameter_text(value)));
  return parts;
}

std::string joined(const Texts& parts) {
  return parts.empty() ? "none" : fmt::format("{}", fmt::join(parts, ", "));
}

std::string flat(const Value& dict) {
  return joined(flat_parts(dict));
}

std::string_view name_in(const std::string& part) {
  return std::string_view(part).substr(0, part.find('='));
}

/// What the backend said of itself with each model.
std::vector<const BackendFacts*> facts_of(const Findings& findings, std::size_t backend) {
  std::vector<const BackendFacts*> all;
  for (const BackendFacts& known : findings.facts)
    if (known.backend == backend) all.push_back(&known);
  return all;
}

/// The settings that are the same with all models, without hashes of the machinery: the cells'
/// results have them all.
std::string settings_text(const std::vector<const BackendFacts*>& facts) {
  Texts parts = flat_parts(facts.front()->facts.backend_settings);
  for (const BackendFacts* other : facts) {
    const Texts theirs = flat_parts(other->facts.backend_settings);
    std::erase_if(parts, [&](const std::string& part) {
      return name_in(part).ends_with("_sha256") || std::ranges::find(theirs, part) == theirs.end();
    });
  }
  return joined(parts);
}

std::string backend_text(const Findings& findings, std::size_t backend) {
  const std::string& name = findings.design.backends[backend].name;
  const auto facts = facts_of(findings, backend);
  if (facts.empty()) return name + " (no results)";
  const store::RunFacts& one = facts.front()->facts;
  return fmt::format("{} ({}{}; settings: {})", name,
                     one.version.starts_with(one.backend) ? "" : one.backend + ", ", one.version,
                     settings_text(facts));
}

/// Values of models, each with the backends that it is true of, where these are not all.
std::string by_value(const std::vector<std::pair<std::string, std::string>>& values) {
  std::map<std::string, Texts> names;
  Texts order;
  for (const auto& [name, value] : values) {
    if (!names.contains(value)) order.push_back(value);
    names[value].push_back(name);
  }
  if (order.size() == 1) return order.front();
  Texts parts;
  for (const std::string& value : order)
    parts.push_back(fmt::format("{} ({})", value, fmt::join(names[value], ", ")));
  return fmt::format("{}", fmt::join(parts, " and "));
}

std::string weights_text(const Findings& findings) {
  Texts parts;
  for (std::size_t model = 0; model < findings.design.models.size(); ++model) {
    std::vector<std::pair<std::string, std::string>> hashes;
    for (const BackendFacts& known : findings.facts)
      if (known.model == model && !known.facts.weights_sha256.empty())
        hashes.emplace_back(findings.design.backends[known.backend].name,
                            known.facts.weights_sha256);
    if (!hashes.empty())
      parts.push_back(
          fmt::format("{} SHA-256 {}", findings.design.models[model].name, by_value(hashes)));
  }
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

std::string shaping_text(const Value& defaults) {
  if (!defaults.is_dict()) return "could not be asked";
  Texts parts = flat_parts(defaults);
  std::erase_if(parts, [](const std::string& part) { return !is_shaping(name_in(part)); });
  return joined(parts);
}

std::string defaults_text(const Findings& findings) {
  Texts parts;
  for (std::size_t backend = 0; backend < findings.design.backends.size(); ++backend) {
    std::vector<std::pair<std::string, std::string>> defaults;
    for (const BackendFacts* known : facts_of(findings, backend))
      defaults.emplace_back(findings.design.models[known->model].name,
                            shaping_text(known->facts.generation_defaults));
    if (!defaults.empty())
      parts.push_back(
          fmt::format("{}: {}", findings.design.backends[backend].name, by_value(defaults)));
  }
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
      "Generation modes: {}. Where generation was left to the backend, it reported these defaults "
      "(Table 6 has all parameters): {}.",
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
