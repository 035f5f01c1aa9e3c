#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/value.h"
#include "stats/backend_effects.h"

namespace tare::study {

/// A model and where its files or servers are: what stands in braces in a backend's spelling.
struct StudyModel {
  std::string name;
  std::map<std::string, std::string> places;
};

struct StudyBackend {
  std::string name;
  std::string spelling;             ///< --model, with {place} of the model
  std::vector<std::string> models;  ///< that it is for; empty: all
};

struct Benchmark {
  std::string name;
  std::vector<std::string> tasks;  ///< --tasks
  std::optional<std::size_t> limit;
  std::string strata;   ///< column that divides a task's documents into strata; "" for none
  std::string cluster;  ///< column of what documents have in common; "": the strata, else the task
  std::string family;   ///< "factual", "social bias" or a name of the user's
  std::vector<std::string> metrics;  ///< to look at; empty: all
};

/// A study file (docs/formats/study.md): everything that is asked, and how it is compared.
struct Design {
  std::string name;
  std::filesystem::path output;
  std::string baseline;  ///< name of a backend
  std::vector<StudyModel> models;
  std::vector<StudyBackend> backends;
  std::vector<std::string> modes;
  std::vector<Benchmark> benchmarks;
  std::size_t repetitions = 5;  ///< of the modes that may draw
  std::int64_t seed = 42;
  double alpha = 0.05;                                    ///< level of each family of tests
  double radius = 0.05;                                   ///< of what is not severe
  std::size_t resamples = 10000;                          ///< of intervals and permutation tests
  std::map<std::string, stats::Ideal> ideals;             ///< best value of metrics, by name
  std::map<std::string, std::vector<std::string>> flags;  ///< options of `tare run` for all cells
};

/// The greedy mode, in which one answer stands for all.
inline constexpr std::string_view kDeterministic = "deterministic";

/// Reads a study file. `place` (its path) begins each error; a key that is not known is one, with
/// the nearest that is.
base::Result<Design> read_design(std::string_view text, const std::string& place);

/// --model of a backend for a model: its spelling with the model's places filled in. Error: a place
/// that the model does not have.
base::Result<std::string> spelling_of(const StudyBackend& backend, const StudyModel& model);

/// True if the backend is meant for the model.
bool is_for(const StudyBackend& backend, const StudyModel& model);

/// What is best for a metric of the benchmarks of source 000 §3.5: half for ss, zero for biases and
/// the rate of invalid answers, else one.
stats::Ideal usual_ideal(std::string_view metric);

/// What the study file says is best for the metric, else the usual.
stats::Ideal ideal_of(const Design& design, const std::string& metric);

/// "factual" or "social bias" for the benchmarks of source 000 by the beginning of their names;
/// else "other".
std::string usual_family(std::string_view benchmark);

}  // namespace tare::study
