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
#include "core/functions.h"
#include "core/score.h"
#include "core/task.h"
#include "task/generation_mode.h"
#include "text/chat.h"

/// lm-evaluation-harness task YAML to documents, prompts and requests (spec: docs/design/tasks.md).
namespace tare::task {

/// Where a key of a task's YAML was written.
struct Origin {
  std::filesystem::path file;
  int line = 0;  ///< from 1; 0: unknown
};

using Origins = std::map<std::string, Origin, std::less<>>;

/// How few-shot examples are chosen and rendered: fewshot_config, with the task's own values where
/// it says nothing.
struct FewshotConfig {
  std::string sampler = "default";   ///< or "first_n"
  base::Value process_docs;          ///< a !function or none
  std::optional<std::string> split;  ///< wins over `samples`
  base::Value samples;               ///< a list of documents, a !function, or none
  base::Value doc_to_text, doc_to_target, doc_to_choice, gen_prefix;
  std::string target_delimiter = " ";
  std::string fewshot_delimiter = "\n\n";
};

/// A task's YAML after include, checked key by key. Values that may be a column name, a template or
/// another literal stay as they are; build() resolves them against the data. A !function is a dict
/// (function.h) that remembers the folder of the file in which it is written.
struct TaskConfig {
  std::string task;
  std::filesystem::path file;  ///< where the task stands; of a group's inline task, the group's
  std::optional<std::string> alias;
  std::vector<std::string> tags;
  std::string dataset_path;
  std::optional<std::string> dataset_name;
  base::Value dataset_kwargs;
  std::optional<std::string> training_split, validation_split, test_split, fewshot_split;
  core::OutputType output_type = core::OutputType::generate_until;
  base::Value process_docs, process_results, custom_dataset;  ///< a !function or none
  base::Value doc_to_text, doc_to_target, doc_to_choice;
  base::Value description, gen_prefix;
  std::string target_delimiter = " ";
  std::string fewshot_delimiter = "\n\n";
  base::Value fewshot_config;  ///< a dict with every key of it, as lm-eval writes it in results
  FewshotConfig fewshot;       ///< the same, typed
  std::optional<std::size_t> num_fewshot;
  std::int64_t repeats = 1;
  base::Value metric_list, filter_list, generation_kwargs, metadata;
  base::Value merged;  ///< all keys after include and overrides, in order, as written
  Origins origins;     ///< of the keys in `merged`
  std::vector<core::SourceFile> files;  ///< the YAML files read
  std::vector<std::string> repeated;    ///< keys that stand twice in a mapping of them, as told
};

/// Loads one YAML file with its includes. Errors name file and line: a YAML fault, an unknown key
/// (with the nearest one), a missing include, a value of the wrong type.
base::Result<TaskConfig> load_task(const std::filesystem::path& file);

/// What a YAML file defines, found by a cheap look at it. Tags are named by tasks, not by files.
enum class EntryKind { task, group, python_task, tag };

struct Entry {
  EntryKind kind = EntryKind::task;
  std::string name;
  std::filesystem::path file;      ///< empty for a tag
  std::vector<std::string> tasks;  ///< of a tag: the tasks that carry it, sorted
};

/// A group as results report it. Aggregates run over its leaf tasks.
struct GroupConfig {
  std::string name;
  std::optional<std::string> alias;
  std::vector<std::string> children;  ///< names of direct members: tasks and groups
  base::Value aggregate_metric_list;  ///< as written: a list, a dict or none
  base::Value metadata;
};

/// What --tasks asked for, every group and tag expanded to its tasks.
struct Selection {
  std::vector<TaskConfig> tasks;    ///< each once, in load order
  std::vector<GroupConfig> groups;  ///< outer before inner
};

/// All tasks, groups and tags under some folders (--include-path over the built-in one).
class Index {
 public:
  /// Later roots override earlier ones; inside one root the first file (by path) wins. Files are
  /// not parsed whole: one that is broken further down is reported when it is loaded.
  static base::Result<Index> scan(const std::vector<std::filesystem::path>& roots);

  [[nodiscard]] const std::map<std::string, Entry, std::less<>>& entries() const {
    return entries_;
  }
  /// "PATH: reason" for each file that defines nothing because it cannot be read.
  [[nodiscard]] const std::vector<std::string>& unreadable() const { return unreadable_; }
  /// One line for each definition that another one hides.
  [[nodiscard]] const std::vector<std::string>& hidden() const { return hidden_; }

  /// Resolves --tasks words in the order given: names, globs over names, paths (or globs over file
  /// names) of .yaml files, or one folder of .yaml files. An unknown name is an error with the
  /// nearest names; so is a task that two of the words reach through different groups.
  [[nodiscard]] base::Result<Selection> select(const std::vector<std::string>& words) const;

  /// The tasks of select().
  [[nodiscard]] base::Result<std::vector<TaskConfig>> resolve(
      const std::vector<std::string>& words) const;

 private:
  std::map<std::string, Entry, std::less<>> entries_;
  std::vector<std::string> unreadable_;
  std::vector<std::string> hidden_;
};

/// The parts of a run's settings that shape prompts.
struct BuildOptions {
  std::optional<std::size_t>
      num_fewshot;              ///< --num-fewshot: overrides all but an explicit 0 in YAML
  std::optional<double> limit;  ///< --limit: < 1 is a share, else a count
  std::map<std::string, std::vector<std::size_t>, std::less<>> samples;  ///< --samples
  std::optional<std::int64_t> fewshot_seed = 1234;                       ///< 4th of --seed
  std::string system_instruction;
  text::ChatRenderer chat;            ///< --apply-chat-template; unset: prompts are plain text
  bool fewshot_as_multiturn = false;  ///< with `chat`: each example is a turn of its own
  base::Value metadata;   ///< a dict or none: added to each task's metadata in the result file
  std::string think_end;  ///< model argument think_end_token: answers begin after it
  base::Value generation_kwargs;  ///< --gen-kwargs: replaces keys of each task's own; dict or none
  const GenerationMode* generation_mode = nullptr;  ///< --generation-mode: in place of these
  std::optional<std::size_t> repetitions;  ///< --repetitions: answers to each prompt of a task
  bool run_unsafe_code = false;            ///< --confirm-run-unsafe-code
  bool predict_only = false;               ///< answers alone: the metric is "bypass"
  core::Functions* functions = nullptr;    ///< runs !functions; none: tasks with one are refused
};

/// An error that names the task and the key if this build lacks something that the task needs: an
/// output type, a !function, images. build() asks too; asking first saves reading the data.
base::Status check_supported(const TaskConfig& config, const BuildOptions& options);

/// The data set of a task whose custom_dataset is set.
base::Result<core::Dataset> custom_dataset(const TaskConfig& config, core::Functions* functions);

/// Another place that a task's data may lie in, for the same splits.
struct DataPlace {
  std::string path;
  std::optional<std::string> name;
  base::Value arguments;  ///< dataset_kwargs: a dict or none
};

/// A configuration of the task's data set whose rows tell the part that a document belongs to.
struct SubtaskSource {
  std::string name, split;
  std::string key;  ///< a column of both: the same text, but for white space at its ends
};

/// What `metadata.tare` of a task says of its benchmark (docs/design/benchmarks.md).
struct Benchmark {
  std::vector<DataPlace> other_data;  ///< looked at in order where the task's own is not here
  std::string subtask;                ///< the column that names a document's part; "" for none
  std::vector<std::string> subtasks;  ///< all parts that the benchmark has
  std::optional<SubtaskSource> subtask_source;  ///< where that column stands, if not in the data
  std::optional<std::size_t> documents;         ///< that the benchmark has
};

/// Empty without `metadata.tare`. Errors name the key and what is wanted.
base::Result<Benchmark> benchmark_of(const TaskConfig& config);

/// The split under which the rows of Benchmark::subtask_source are put into the task's data set.
inline constexpr const char* kSubtaskSplit = "tare.subtasks";

/// Of each document of the evaluated split, in order, the part of the benchmark that it belongs to;
/// "unknown" where the data does not tell; an empty list if the task names no parts. `dataset` has
/// the rows of Benchmark::subtask_source under kSubtaskSplit.
base::Result<std::vector<std::string>> document_subtasks(const TaskConfig& config,
                                                         const core::Dataset& dataset,
                                                         const BuildOptions& options);

/// The splits of its data set that the task reads, in the order it needs them.
std::vector<std::string> splits_needed(const TaskConfig& config, const BuildOptions& options);

/// What a reader of the task's score must know about its prompts, e.g. that few-shot examples come
/// from the evaluated split.
std::vector<core::Warning> warnings(const TaskConfig& config, const BuildOptions& options);

/// What is wrong with one document of a task.
struct Fault {
  std::size_t doc_id = 0;
  base::Error error;
};

/// Documents, golds and requests. Errors name the task, the field and the doc id: an undefined
/// variable, a missing column, a target index outside the choices' range, an output type or a
/// !function that this build does not support. With `faults`, documents that cannot be built are
/// left out and their errors put there; only what concerns the whole task is then an error.
base::Result<core::BuiltTask> build(const TaskConfig& config, const core::Dataset& dataset,
                                    const BuildOptions& options,
                                    std::vector<Fault>* faults = nullptr);

}  // namespace tare::task
