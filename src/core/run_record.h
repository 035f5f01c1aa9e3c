#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/value.h"
#include "core/invariance.h"
#include "core/request.h"
#include "core/score.h"
#include "core/task.h"

namespace tare::core {

/// Tokens that the requests of a run have.
struct TokenCounts {
  std::size_t requested = 0;  ///< Σ over requests of context and continuation
  std::size_t unique = 0;     ///< after shared prefixes are counted once
};

/// One task of a finished run.
struct TaskRecord {
  BuiltTask task;
  /// In the order of task.requests, each with its task.repeats answers in a row.
  std::vector<Response> responses;
  TaskScore score;
  bool token_ids = true;  ///< tokens of the responses are the model's; else bytes of text
};

/// A group over its tasks, as the results list it.
struct GroupRecord {
  std::string name;
  std::string alias;
  base::Value version;                ///< metadata.version as text, or "N/A"
  std::vector<std::string> children;  ///< names of direct members: tasks and groups
  std::vector<Estimate> estimates;    ///< empty without aggregate_metric_list
  std::size_t sample_length = 0;      ///< documents of all its leaf tasks
  bool aggregates = false;            ///< has an aggregate_metric_list
};

/// What a run found, before it is put into files or on a screen: the same whenever the same is
/// asked, however it was computed. How that went is in core::Execution.
struct RunRecord {
  std::vector<TaskRecord> tasks;
  std::vector<GroupRecord> groups;  ///< outer before inner
  std::string model;                ///< as the user named it, "gguf:PATH"
  std::string model_name;           ///< for tables and folder names
  std::string model_path;           ///< as the user named it, or where it was found
  base::Value model_arguments;      ///< a dict
  base::Value backend;              ///< identity and settings, a dict
  base::Value settings;             ///< the run's own settings, a dict
  base::Value chat_template;        ///< its text; none for prompts in plain text
  base::Value build;                ///< tare's version, compiler, pins
  base::Value python;               ///< what ran Python functions, a dict; none if nothing did
  Invariance invariance;            ///< found before the first question
  std::vector<Warning> warnings;
  std::optional<TokenCounts> tokens;  ///< none: the backend shows no token ids
  std::size_t context_length = 0;
};

}  // namespace tare::core
