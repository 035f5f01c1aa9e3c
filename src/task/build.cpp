#include <fmt/format.h>

#include <algorithm>

#include "base/python.h"
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
  static Result<Builder> make(const TaskConfig& config, const core::Dataset& dataset,
                              const std::vector<std::string>& columns, const BuildOptions& options);

  /// Decides the shape by the first document of the split, evaluated or not.
  Status inspect(const Document& first);

  Status add(const Document& document, std::size_t id, BuiltTask& task);

  [[nodiscard]] const Shape& shape() const { return shape_; }

 private:
  Builder(const TaskConfig& config, const BuildOptions& options)
      : config_(config), options_(options) {}

  Result<std::vector<Message>> opening(const Document& document, const Place& place);
  Result<std::string> system_text(const Document& document, const Place& place) const;
  Result<core::Gold> gold(const Question& question, const Place& place) const;
  Result<Turn> last_turn(const Document& document, std::string question, const Place& place) const;
  void add_choices(const std::vector<Message>& opening, Turn turn, std::size_t position,
                   BuiltTask& task) const;
  void add_single(const std::vector<Message>& opening, const Turn& turn, std::size_t position,
                  BuiltTask& task) const;

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
};

bool has_metric(const std::vector<core::MetricSpec>& metrics, std::string_view name) {
  return std::ranges::find(metrics, name, &core::MetricSpec::name) != metrics.end();
}

Result<Builder> Builder::make(const TaskConfig& config, const core::Dataset& dataset,
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
  TARE_TRY(builder.pool_, FewshotPool::open(config, dataset, columns, options.functions));
  builder.sampler_.emplace(config, options);
  return builder;
}

Status Builder::inspect(const Document& first) {
  TARE_TRY(const Question question, ask_document(fields_, first, place(0)));
  TARE_TRY(shape_, shape_of(question, place(0)));
  if (shape_.multiple_input && config_.output_type != OutputType::multiple_choice)
    return place(0).error("doc_to_text", "an index, which only multiple_choice tasks may give");
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

/// With a target to continue (multiple input) one context a choice, else one continuation a choice.
void Builder::add_choices(const std::vector<Message>& opening, Turn turn, std::size_t position,
                          BuiltTask& task) const {
  const core::Gold& gold = task.golds[position];
  std::vector<Message> messages = opening;
  append_turn(messages, turn);
  const std::string shared = plain_text(messages);
  for (std::size_t i = 0; i < gold.choices.size(); ++i) {
    core::Request request{position, i, shared, config_.target_delimiter + gold.choices[i]};
    if (shape_.multiple_input) {
      messages = opening;
      turn.question = gold.choices[i];
      append_turn(messages, turn);
      request.context = plain_text(messages);
      request.continuation = config_.target_delimiter + base::python::str(gold.target);
    }
    task.requests.push_back(std::move(request));
  }
  if (!mutual_information_) return;
  for (std::size_t i = 0; i < gold.choices.size(); ++i)
    task.requests.push_back(
        {position, gold.choices.size() + i, "", config_.target_delimiter + gold.choices[i]});
}

Status Builder::add(const Document& document, std::size_t id, BuiltTask& task) {
  const Place here = place(id);
  TARE_TRY(const std::vector<Message> before, opening(document, here));
  TARE_TRY(const Question question, ask_document(fields_, document, here));
  TARE_TRY(core::Gold answer, gold(question, here));
  TARE_TRY(std::string text, question_text(question, shape_.multiple_input, here));
  TARE_TRY(const Turn turn, last_turn(document, std::move(text), here));
  const std::size_t position = task.documents.size();
  task.documents.push_back(document);
  task.doc_ids.push_back(id);
  task.golds.push_back(std::move(answer));
  if (config_.output_type == OutputType::multiple_choice) {
    add_choices(before, turn, position, task);
  } else {
    add_single(before, turn, position, task);
  }
  return {};
}

void Builder::add_single(const std::vector<Message>& opening, const Turn& turn,
                         std::size_t position, BuiltTask& task) const {
  std::vector<Message> messages = opening;
  append_turn(messages, turn);
  core::Request request{position, 0, "", ""};
  if (config_.output_type != OutputType::loglikelihood_rolling)
    request.context = plain_text(messages);
  if (config_.output_type != OutputType::generate_until)
    request.continuation = task.golds[position].target.as_string();
  task.requests.push_back(std::move(request));
}

Value version_of(const TaskConfig& config) {
  const Value* version = config.metadata.find("version");
  return version == nullptr ? Value("Yaml") : *version;
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
  task.repeats = static_cast<std::size_t>(config.repeats);
  if (!options.predict_only) task.process_results = resolved_function(config.process_results);
  task.has_choices = !config.doc_to_choice.is_none();
  if (config.output_type == OutputType::generate_until) {
    task.generation_arguments = overridden_arguments(config, options.generation_kwargs);
    TARE_TRY(task.generation, generation_settings(config, task.generation_arguments));
    task.generation.think_end = options.think_end;
  }
  task.config = config_block(config, task.num_fewshot, options);
  task.files = config.files;
  task.files.insert(task.files.end(), dataset.files.begin(), dataset.files.end());
  return task;
}

}  // namespace

Result<BuiltTask> build(const TaskConfig& config, const core::Dataset& dataset,
                        const BuildOptions& options) {
  TARE_CHECK(check_supported(config, options));
  TARE_TRY(BuiltTask task, described(config, dataset, options));
  const EvalSplit named = eval_split(config);
  TARE_TRY(const core::Split* split, find_split(config.task, dataset, named.field, named.name));
  TARE_TRY(const auto documents,
           processed_documents(config, config.process_docs, *split, options.functions));
  if (documents.empty())
    return base::input_error(fmt::format(
        "task {}: the split '{}' has no documents{}", config.task, named.name,
        split->rows.empty() ? ""
                            : fmt::format(" left of {} after process_docs", split->rows.size())));
  TARE_TRY(const auto chosen, choose_documents(config.task, documents.size(), options));
  TARE_TRY(Builder builder, Builder::make(config, dataset, columns_of(documents, *split), options));
  TARE_CHECK(builder.inspect(documents.front()));
  task.multiple_input = builder.shape().multiple_input;
  task.multiple_target = builder.shape().multiple_target;
  task.total_documents = documents.size();
  for (const std::size_t id : chosen) TARE_CHECK(builder.add(documents[id], id, task));
  return task;
}

}  // namespace tare::task
