#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/value.h"
#include "core/task.h"

/// lm-evaluation-harness task YAML to documents, prompts and requests (spec: docs/design/tasks.md).
namespace tare::task {

/// A task's YAML after include, checked key by key. Values that may be a column name, a template or
/// another literal stay as they are; build() resolves them against the data.
struct TaskConfig {
  std::string task;
  std::filesystem::path file;  ///< where the task stands
  std::optional<std::string> alias;
  std::vector<std::string> tags;
  std::string dataset_path;
  std::optional<std::string> dataset_name;
  base::Value dataset_kwargs;
  std::optional<std::string> training_split, validation_split, test_split, fewshot_split;
  core::OutputType output_type = core::OutputType::generate_until;
  base::Value doc_to_text, doc_to_target, doc_to_choice;
  base::Value description, gen_prefix;
  std::string target_delimiter = " ";
  std::string fewshot_delimiter = "\n\n";
  base::Value fewshot_config;  ///< a dict or none
  std::optional<std::size_t> num_fewshot;
  std::int64_t repeats = 1;
  base::Value metric_list, filter_list, generation_kwargs, metadata;
  base::Value merged;                   ///< all keys after include, in order, for the result file
  std::vector<core::SourceFile> files;  ///< the YAML files read
};

/// Loads one YAML file with its includes. Errors name file and line: a YAML fault, an unknown key
/// (with the nearest one), a missing include, a value of the wrong type.
base::Result<TaskConfig> load_task(const std::filesystem::path& file);

/// What a YAML file defines, found by a cheap look at it.
enum class EntryKind { task, group, python_task };

struct Entry {
  EntryKind kind = EntryKind::task;
  std::string name;
  std::filesystem::path file;
};

/// All tasks and groups under some folders (--include-path over the built-in one).
class Index {
 public:
  /// Later roots override earlier ones. Files that do not parse are listed in `unreadable`.
  static base::Result<Index> scan(const std::vector<std::filesystem::path>& roots);

  [[nodiscard]] const std::map<std::string, Entry, std::less<>>& entries() const {
    return entries_;
  }
  [[nodiscard]] const std::vector<std::string>& unreadable() const { return unreadable_; }

  /// Resolves --tasks words (names, globs over names, paths of .yaml files) to tasks in the order
  /// given. An unknown name is an error with the nearest names.
  [[nodiscard]] base::Result<std::vector<TaskConfig>> resolve(
      const std::vector<std::string>& words) const;

 private:
  std::map<std::string, Entry, std::less<>> entries_;
  std::vector<std::string> unreadable_;
};

/// The parts of a run's settings that shape prompts.
struct BuildOptions {
  std::optional<std::size_t>
      num_fewshot;              ///< --num-fewshot: overrides all but an explicit 0 in YAML
  std::optional<double> limit;  ///< --limit: < 1 is a share, else a count
  std::map<std::string, std::vector<std::size_t>, std::less<>> samples;  ///< --samples
  std::optional<std::int64_t> fewshot_seed = 1234;                       ///< 4th of --seed
  std::string system_instruction;
};

/// The splits of its data set that the task reads, in the order it needs them.
std::vector<std::string> splits_needed(const TaskConfig& config, const BuildOptions& options);

/// Documents, golds and requests. Errors name the task, the field and the doc id: an undefined
/// variable, a missing column, a target index outside the choices' range, an output type or a
/// !function that this build does not support.
base::Result<core::BuiltTask> build(const TaskConfig& config, const core::Dataset& dataset,
                                    const BuildOptions& options);

}  // namespace tare::task
