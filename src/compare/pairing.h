#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/value.h"
#include "compare/difference.h"
#include "store/read_answers.h"
#include "store/read_run.h"

namespace tare::compare {

/// A run by the letter that it has in a comparison: "A".
struct Side {
  std::string letter;
  store::FinishedRun run;
};

/// What both runs made of one document; none where there is no score.
struct Pair {
  std::int64_t document = 0;  ///< its number in the first run
  base::Value first, second;
  bool other_answer = false;
};

/// A metric of a task in two runs.
struct Series {
  std::string task, metric, filter;
  bool higher_is_better = true;
  /// As the runs' results tell them; none: they don't.
  std::optional<double> reported_first, reported_second;
  std::vector<Pair> pairs;  ///< of all documents that both were asked, in their order
  /// Values of all documents of a run, whether the other one has them or not.
  std::vector<base::Value> all_first, all_second;
  /// Of `pairs`, those without a score on any side, by reason.
  std::vector<std::pair<std::string, std::size_t>> failures;
};

/// The tasks of two runs, document by document.
struct PairedRuns {
  std::vector<Series> series;  ///< of the tasks in the first run's order
  std::vector<Difference> differences;
  std::size_t items = 0;   ///< documents that both runs were asked, over all tasks
  std::size_t failed = 0;  ///< of these, without a score on any side
};

/// Which tasks and metrics are looked at; empty: all. A metric by its name, or with one filter, as
/// "exact_match,strict".
struct Chosen {
  std::vector<std::string> tasks, metrics;
};

/// Reads the samples of both. Documents are the same that have the same hash; of equal ones those
/// with the same number are taken first. Error: a file that cannot be read, samples without hashes,
/// a document that stands twice or has other hashes in the lines of another filter.
base::Result<PairedRuns> pair_runs(const Side& first, const Side& second, const Chosen& chosen);

/// Two answers to one document; a null for a document that one run alone has.
struct Match {
  const store::SampledAnswer* first = nullptr;
  const store::SampledAnswer* second = nullptr;
};

/// The answers of two runs to a task.
struct Lines {
  std::vector<store::SampledAnswer> first, second;
};

/// The documents of both runs, those of the first run in its order, then the other one's: as one
/// filter has them, or, without one, each with its first line, whatever the filter.
std::vector<Match> match_documents(std::span<const store::SampledAnswer> first,
                                   std::span<const store::SampledAnswer> second,
                                   const std::optional<std::string>& filter);

/// What stands where two texts part, quoted, with a few characters around it on each side.
std::pair<std::string, std::string> parting(const std::string& first, const std::string& second);

}  // namespace tare::compare
