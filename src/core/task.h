#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "base/value.h"
#include "core/document.h"
#include "core/functions.h"
#include "core/request.h"
#include "core/score.h"

namespace tare::core {

/// One entry of a task's metric_list after its defaults are filled in.
struct MetricSpec {
  std::string name;         ///< "acc", "acc_norm", "perplexity", ...
  std::string aggregation;  ///< "mean", "perplexity", ...
  bool higher_is_better = true;
  base::Value arguments;                               ///< the entry's other keys (a dict)
  std::optional<FunctionRef> function = std::nullopt;  ///< the metric itself is a !function
  std::optional<FunctionRef> aggregation_function = std::nullopt;  ///< wins over `aggregation`
  std::optional<double> ideal = std::nullopt;                      ///< the best value: 0, 0.5 or 1
};

/// One step of a filter pipeline.
struct FilterStep {
  std::string name;       ///< "regex", "take_first", ...; "" for a !function class
  base::Value arguments;  ///< the step's other keys (a dict)
  std::optional<FunctionRef> function =
      std::nullopt;  ///< the class, or the filter_fn of a "custom" step
};

/// What turns the raw responses to each request into the value that is scored.
struct FilterPipeline {
  std::string name = "none";  ///< part of the metric keys: "exact_match,strict-match"
  std::vector<FilterStep> steps;
};

/// The right answer of one document.
struct Gold {
  base::Value target;                 ///< as doc_to_target gave it (int, string or list)
  std::vector<std::string> choices;   ///< multiple_choice: without delimiter
  std::optional<std::size_t> choice;  ///< multiple-input mode: the index that doc_to_text gave
};

/// What a task says of the whole benchmark, beside which its data may be a part.
struct Coverage {
  std::optional<std::size_t> documents;  ///< that the benchmark has
  std::vector<std::string> missing;      ///< parts of it that the data has no document of
};

/// A task with its documents chosen and its prompts built: all that scoring and reporting need, and
/// nothing of how it came to be.
struct BuiltTask {
  std::string name;
  std::string alias;
  base::Value version;  ///< metadata.version, or "Yaml"
  OutputType output_type = OutputType::multiple_choice;
  std::size_t num_fewshot = 0;
  bool multiple_input = false;   ///< the choices are the inputs
  bool multiple_target = false;  ///< the first document's target is a list: any of it is right
  std::vector<MetricSpec> metrics;
  std::vector<FilterPipeline> filters{{"none", {{"take_first", base::Dict{}, std::nullopt}}}};
  std::size_t repeats = 1;           ///< answers to each request
  GenerationSettings generation;     ///< generate_until only
  base::Value generation_arguments;  ///< the same as lm-eval logs it, a dict
  std::optional<FunctionRef> process_results =
      std::nullopt;                  ///< replaces the metrics of each document
  bool has_choices = false;          ///< doc_to_choice is set
  std::vector<Document> documents;   ///< evaluated ones, in data set order
  std::vector<std::size_t> doc_ids;  ///< of each: what lm-eval reports as doc_id
  std::vector<Gold> golds;           ///< of each
  /// Of each the part of the benchmark that it belongs to (a subject, a category); empty if the
  /// task names none.
  std::vector<std::string> subtasks;
  Coverage coverage;
  std::vector<Request> requests;    ///< document-major, then index
  std::size_t total_documents = 0;  ///< of the split, before --limit
  base::Value config;               ///< the effective YAML as lm-eval writes it under "configs"
  std::vector<SourceFile> files;    ///< YAML and data files read
  std::vector<Warning> warnings;    ///< what came up while the prompts were built
};

/// Positions [first, last) in a list.
struct Range {
  std::size_t first = 0, last = 0;
  [[nodiscard]] std::size_t size() const { return last - first; }
};

/// The requests of each document, as positions in BuiltTask::requests.
inline std::vector<Range> request_ranges(const BuiltTask& task) {
  std::vector<Range> ranges(task.documents.size());
  std::size_t next = 0;
  for (std::size_t document = 0; document < ranges.size(); ++document) {
    ranges[document].first = next;
    while (next < task.requests.size() && task.requests[next].document == document) ++next;
    ranges[document].last = next;
  }
  return ranges;
}

}  // namespace tare::core
