#include <fmt/format.h>

#include <algorithm>

#include "base/python.h"
#include "base/unicode.h"
#include "task/choose.h"
#include "task/compile.h"
#include "task/fewshot.h"
#include "task/fields.h"
#include "task/filters.h"
#include "task/function.h"
#include "task/generation.h"
#include "task/gold.h"
#include "task/metrics.h"
#include "task/process_docs.h"
#include "task/prompt.h"
#include "task/subtasks.h"
#include "task/task.h"

namespace tare::task {
namespace {

using base::Result;
using base::Status;
using base::Value;
using core::BuiltTask;
using core::Document;
using core::OutputType;

/// Builds the prompts of one task, document after document: the few-shot draws of a document depend
/// on how many came before it.
class Builder {
 public:
  static Result<Builder> make(const TaskConfig& config, ProcessedSplits& splits,
                              const std::vector<std::string>& columns, const BuildOptions& options);

  /// Decides the shape by a document: the first of the split, evaluated or not.
  Status inspect(const Document& first, std::size_t id);

  Status add(const Document& document, std::size_t id, BuiltTask& task);

  [[nodiscard]] const Shape& shape() const { return shape_; }
  /// About the prompts built so far.
  [[nodiscard]] std::vector<core::Warning> warnings() const;

 private:
  Builder(const TaskConfig& config, const BuildOptions& options)
      : config_(config), options_(options) {}

  Result<std::vector<Message>> opening(const Document& document, const Place& place);
  Result<std::string> system_text(const Document& document, const Place& place) const;
  Result<core::Gold> gold(const Question& question, const Place& place) const;
  Result<Turn> last_turn(const Document& document, std::string question, const Place& place) const;
  Result<std::string> context(std::vector<Message> messages, const Turn& turn, const Place& place);
  [[nodiscard]] std::string choice_delimiter() const;
  Status ask_choices(const std::vector<Message>& opening, Turn turn, const core::Gold& gold,
                     const Place& place, std::vector<core::Request>& requests);
  Status ask_once(const std::vector<Message>& opening, const Turn& turn, const core::Gold& gold,
                  const Place& place, std::vector<core::Request>& requests);

  [[nodiscard]] Place place(std::size_t id) const { return {config_.task, "document", id}; }

  const TaskConfig& config_;
  const BuildOptions& options_;
  std::size_t shots_ = 0;
  Shape shape_;
  DocFields fields_;
  OptionalText description_, gen_prefix_;
  std::optional<FewshotPool> pool_;
  std::optional<FewshotSampler> sampler_;
  bool mutual_information_ = false;  ///< each choice is also asked without its context
  std::size_t system_dropped_ = 0;   ///< prompts whose system message the chat template refused
};

bool ends_in_space(std::string_view text) {
  return base::unicode::rstrip(text).size() != text.size();
}

bool has_metric(const std::vector<core::MetricSpec>& metrics, std::string_view name) {
  return std::ranges::find(metrics, name, &core::MetricSpec::name) != metrics.end();
}

Result<Builder> Builder::make(const TaskConfig& config, ProcessedSplits& splits,
                              const std::vector<std::string>& columns,
                              const BuildOptions& options) {
  Builder builder(config, options);
  TARE_TRY(builder.fields_, compile_fields(config, columns, options.functions));
  TARE_TRY(builder.description_, compile_text(config, "description", config.description));
  TARE_TRY(builder.gen_prefix_, compile_text(config, "gen_prefix", config.gen_prefix));
  builder.mutual_information_ =
      has_metric(metric_specs(config, options.predict_only), "acc_mutual_info");
  builder.shots_ = effective_fewshot(config, options);
  if (builder.shots_ == 0) return builder;
  TARE_TRY(builder.pool_, FewshotPool::open(config, splits, columns));
  builder.sampler_.emplace(config, options);
  return builder;
}

Status Builder::inspect(const Document& first, std::size_t id) {
  TARE_TRY(const Question question, ask_document(fields_, first, place(id)));
  TARE_TRY(shape_, shape_of(question, place(id)));
  if (shape_.multiple_input && config_.output_type != OutputType::multiple_choice)
    return place(id).error("doc_to_text", "an index, which only multiple_choice tasks may give");
  return {};
}

Result<std::string> Builder::system_text(const Document& document, const Place& place) const {
  auto description = description_.ask(document);
  if (!description) return place.error("description", description.error());
  TARE_TRY(const std::string text, text_or_nothing(*description, "description", place));
  return join(options_.system_instruction, text, config_.fewshot_delimiter);
}

/// All that stands before the document's own question.
Result<std::vector<Message>> Builder::opening(const Document& document, const Place& place) {
  std::vector<Message> messages;
  TARE_TRY(std::string system, system_text(document, place));
  if (!system.empty()) messages.push_back({Role::system, std::move(system), ""});
  if (!sampler_) return messages;
  auto chosen = sampler_->choose(pool_->documents(), shots_, document);
  if (!chosen) return place.error("num_fewshot", chosen.error());
  for (const std::size_t position : *chosen) {
    TARE_TRY(const std::vector<Message>* turn, pool_->turn(position, shape_.multiple_input));
    messages.insert(messages.end(), turn->begin(), turn->end());
  }
  return messages;
}

Result<Turn> Builder::last_turn(const Document& document, std::string question,
                                const Place& place) const {
  auto prefix = gen_prefix_.ask(document);
  if (!prefix) return place.error("gen_prefix", prefix.error());
  TARE_TRY(std::string text, text_or_nothing(*prefix, "gen_prefix", place));
  const bool inputs = shape_.multiple_input;  // their contexts end right after the input
  return Turn{std::move(question), std::nullopt, std::move(text),
              inputs ? "" : config_.target_delimiter, ""};
}

/// A task with its own scoring may mean anything by its target.
Result<core::Gold> Builder::gold(const Question& question, const Place& place) const {
  switch (config_.output_type) {
    case OutputType::multiple_choice:
      if (!config_.process_results.is_none()) return free_gold(question);
      return choice_gold(question, shape_, place);
    case OutputType::generate_until:
      if (!config_.process_results.is_none()) return free_gold(question);
      return answer_gold(question, place);
    case OutputType::loglikelihood:
    case OutputType::loglikelihood_rolling:
      break;
  }
  return text_gold(question, place);
}

/// The opening and the document's turn as text. An answer that is begun stays open.
Result<std::string> Builder::context(std::vector<Message> messages, const Turn& turn,
                                     const Place& place) {
  append_turn(messages, turn);
  if (!options_.chat) return plain_text(messages);
  auto rendered =
      options_.chat(chat_messages(messages, options_.fewshot_as_multiturn),
                    turn.gen_prefix.empty() ? text::ChatEnd::header : text::ChatEnd::message);
  if (!rendered) return place.error("prompt", rendered.error());
  if (rendered->system_dropped) ++system_dropped_;
  return std::move(rendered->text);
}

/// A chat template says itself where an answer begins. Only a prefix that is written in the task
/// keeps the delimiter, whatever it comes to for a document.
std::string Builder::choice_delimiter() const {
  const Value& prefix = config_.gen_prefix;
  if (!options_.chat) return config_.target_delimiter;
  const bool open = prefix.truthy() && !(prefix.is_string() && ends_in_space(prefix.as_string()));
  return open ? config_.target_delimiter : "";
}

/// With a target to continue (multiple input) one context a choice, else one continuation a choice.
Status Builder::ask_choices(const std::vector<Message>& opening, Turn turn, const core::Gold& gold,
                            const Place& place, std::vector<core::Request>& requests) {
  const std::string delimiter = choice_delimiter();
  std::string before;
  for (std::size_t i = 0; i < gold.choices.size(); ++i) {
    if (shape_.multiple_input) turn.question = gold.choices[i];
    if (shape_.multiple_input || i == 0) {
      TARE_TRY(before, context(opening, turn, place));
    }
    const std::string answer =
        shape_.multiple_input ? base::python::str(gold.target) : gold.choices[i];
    requests.push_back({0, i, before, delimiter + answer});
  }
  if (!mutual_information_) return {};
  for (const std::string& choice : gold.choices)
    requests.push_back({0, requests.size(), "", delimiter + choice});
  return {};
}

Status Builder::ask_once(const std::vector<Message>& opening, const Turn& turn,
                         const core::Gold& gold, const Place& place,
                         std::vector<core::Request>& requests) {
  core::Request request;
  if (config_.output_type != OutputType::loglikelihood_rolling) {
    TARE_TRY(request.context, context(opening, turn, place));
  }
  if (config_.output_type != OutputType::generate_until)
    request.continuation = gold.target.as_string();
  requests.push_back(std::move(request));
  return {};
}

/// A document that fails leaves nothing behind in the task.
Status Builder::add(const Document& document, std::size_t id, BuiltTask& task) {
  const Place here = place(id);
  TARE_TRY(const std::vector<Message> before, opening(document, here));
  TARE_TRY(const Question question, ask_document(fields_, document, here));
  TARE_TRY(core::Gold answer, gold(question, here));
  TARE_TRY(std::string text, question_text(question, shape_.multiple_input, here));
  TARE_TRY(const Turn turn, last_turn(document, std::move(text), here));
  std::vector<core::Request> requests;
  if (config_.output_type == OutputType::multiple_choice) {
    TARE_CHECK(ask_choices(before, turn, answer, here, requests));
  } else {
    TARE_CHECK(ask_once(before, turn, answer, here, requests));
  }
  for (core::Request& request : requests) {
    request.document = task.documents.size();
    task.requests.push_back(std::move(request));
  }
  task.documents.push_back(document);
  task.doc_ids.push_back(id);
  task.golds.push_back(std::move(answer));
  return {};
}

std::vector<core::Warning> Builder::warnings() const {
  if (system_dropped_ == 0) return {};
  return {{"chat-system-dropped",
           fmt::format("task {}: the chat template refused the system message of {} prompts, which "
                       "went without it; put the text into the task or use another template",
                       config_.task, system_dropped_),
           system_dropped_}};
}

Value version_of(const TaskConfig& config) {
  const Value* version = config.metadata.find("version");
  return version == nullptr ? Value("Yaml") : *version;
}

/// The files of its functions, each once.
void add_helper_files(const TaskConfig& config, std::vector<core::SourceFile>& files) {
  for (const NamedFunction& named : functions_in(config.merged)) {
    const std::string path = named.function.file.string();
    if (path.empty() || std::ranges::find(files, path, &core::SourceFile::path) != files.end())
      continue;
    core::SourceFile file;
    file.path = path;
    file.sha256 = named.function.sha256;
    files.push_back(std::move(file));
  }
}

/// Everything about the task but its documents.
Result<BuiltTask> described(const TaskConfig& config, const core::Dataset& dataset,
                            const BuildOptions& options) {
  BuiltTask task;
  task.name = config.task;
  task.alias = config.alias.value_or(config.task);
  task.version = version_of(config);
  task.output_type = config.output_type;
  task.num_fewshot = effective_fewshot(config, options);
  task.metrics = metric_specs(config, options.predict_only);
  task.filters = filter_pipelines(config);
  task.repeats = repeats_in_force(config, options);
  if (!options.predict_only) task.process_results = resolved_function(config.process_results);
  task.has_choices = !config.doc_to_choice.is_none();
  if (config.output_type == OutputType::generate_until) {
    task.generation_arguments = arguments_in_force(config, options);
    TARE_TRY(task.generation, generation_settings(config, options));
    task.generation.think_end = options.think_end;
  }
  task.config = config_block(config, task.num_fewshot, options);
  task.files = config.files;
  add_helper_files(config, task.files);
  task.files.insert(task.files.end(), dataset.files.begin(), dataset.files.end());
  return task;
}

/// By the first document; to find all faults, by the first that has none.
Status settle_shape(Builder& builder, const std::vector<Document>& documents,
                    std::vector<Fault>* faults) {
  std::vector<Fault> failed;
  for (std::size_t id = 0; id < documents.size(); ++id) {
    Status inspected = builder.inspect(documents[id], id);
    if (inspected || faults == nullptr) return inspected;
    failed.push_back({id, std::move(inspected).error()});
  }
  *faults = std::move(failed);
  return {};
}

Status add_documents(Builder& builder, const std::vector<Document>& documents,
                     const std::vector<std::size_t>& chosen, BuiltTask& task,
                     std::vector<Fault>* faults) {
  for (const std::size_t id : chosen) {
    Status added = builder.add(documents[id], id, task);
    if (added) continue;
    if (faults == nullptr) return added;
    faults->push_back({id, std::move(added).error()});
  }
  return {};
}

/// Which part of its benchmark each document belongs to, and what the data lacks of it.
Status add_benchmark(const TaskConfig& config, const core::Dataset& dataset,
                     const std::vector<Document>& documents, BuiltTask& task) {
  TARE_TRY(const Benchmark benchmark, benchmark_of(config));
  TARE_TRY(const auto names, subtasks_of(config, benchmark, dataset, documents));
  task.coverage = coverage_of(benchmark, names);
  if (!names.empty())
    for (const std::size_t id : task.doc_ids) task.subtasks.push_back(names[id]);
  for (core::Warning& warning : coverage_warnings(task))
    task.warnings.push_back(std::move(warning));
  return {};
}

}  // namespace

Result<BuiltTask> build(const TaskConfig& config, const core::Dataset& dataset,
                        const BuildOptions& options, std::vector<Fault>* faults) {
  TARE_CHECK(check_supported(config, options));
  TARE_TRY(BuiltTask task, described(config, dataset, options));
  const EvalSplit named = eval_split(config);
  TARE_TRY(const core::Split* split, find_split(config.task, dataset, named.field, named.name));
  ProcessedSplits splits(config, dataset, options.functions);
  TARE_TRY(const auto* processed, splits.find(named.field, named.name, config.process_docs));
  const std::vector<Document>& documents = *processed;
  if (documents.empty())
    return base::input_error(fmt::format(
        "task {}: the split '{}' has no documents{}", config.task, named.name,
        split->rows.empty() ? ""
                            : fmt::format(" left of {} after process_docs", split->rows.size())));
  TARE_TRY(const auto chosen, choose_documents(config.task, documents.size(), options));
  TARE_TRY(Builder builder, Builder::make(config, splits, columns_of(documents, *split), options));
  TARE_CHECK(settle_shape(builder, documents, faults));
  if (faults != nullptr && !faults->empty()) return task;
  task.multiple_input = builder.shape().multiple_input;
  task.multiple_target = builder.shape().multiple_target;
  task.total_documents = documents.size();
  TARE_CHECK(add_documents(builder, documents, chosen, task, faults));
  task.warnings = builder.warnings();
  TARE_CHECK(add_benchmark(config, dataset, documents, task));
  return task;
}

}  // namespace tare::task
