#include "task/fewshot.h"

#include <fmt/format.h>

#include <random>

#include "task/choose.h"
#include "task/compile.h"
#include "task/field_table.h"

namespace tare::task {
namespace {

using base::Result;
using base::Value;
using core::Document;
using Positions = std::vector<std::size_t>;

std::int64_t seed_or_entropy(const std::optional<std::int64_t>& seed) {
  return seed ? *seed : static_cast<std::int64_t>(std::random_device{}());
}

/// What the answer slot of an example shows; nothing for none and "".
Result<std::optional<std::string>> answer_text(const Question& question, bool multiple_input,
                                               const Place& place) {
  const Value& target = question.target;
  if (target.is_none() || target == Value("")) return std::nullopt;
  const Value* answer = &target;
  if (target.is_list() && !target.items().empty()) answer = &target.items().front();
  if (answer->is_string()) return answer->as_string();
  const bool index = is_index(target) && !multiple_input && !question.choices.empty();
  if (!index)
    return place.error("doc_to_target",
                       fmt::format("found {}, wanted a text{}", describe_value(target),
                                   question.choices.empty() ? " (there is no doc_to_choice)" : ""));
  const std::int64_t i = as_index(target);
  if (i < 0 || static_cast<std::size_t>(i) >= question.choices.size())
    return place.error("doc_to_target",
                       fmt::format("index {} but there are {} choices (0 to {})", i,
                                   question.choices.size(), question.choices.size() - 1));
  return question.choices[static_cast<std::size_t>(i)];
}

base::Failure too_few(std::size_t wanted, std::size_t found) {
  return base::input_error(
      fmt::format("{} few-shot examples are wanted but there are {} to choose from; ask for fewer",
                  wanted, found));
}

/// The first of the pool, copies of `excluded` left out.
Result<Positions> first(const std::vector<Document>& pool, std::size_t count,
                        const Document* excluded) {
  Positions positions;
  for (std::size_t i = 0; i < pool.size() && positions.size() < count; ++i)
    if (excluded == nullptr || !(pool[i] == *excluded)) positions.push_back(i);
  if (positions.size() < count) return too_few(count, positions.size());
  return positions;
}

Result<std::vector<Document>> sample_documents(const TaskConfig& config,
                                               core::Functions* functions) {
  Value samples = config.fewshot.samples;
  if (auto function = resolved_function(samples)) {
    TARE_TRY(samples, functions->call(*function, core::FunctionUse::samples, {}));
    if (!samples.is_list())
      return base::input_error(
          fmt::format("task {}: fewshot_config.samples: {} gave {}, wanted a list of documents",
                      config.task, function->name, describe_value(samples)));
  }
  for (const Value& sample : samples.items())
    if (!sample.is_dict())
      return base::input_error(fmt::format(
          "task {}: fewshot_config.samples: found {}, wanted mappings from column to value",
          config.task, describe_value(sample)));
  return samples.items();
}

}  // namespace

FewshotSource fewshot_source(const TaskConfig& config) {
  if (config.fewshot.split) return {"fewshot_split", *config.fewshot.split};
  if (!config.fewshot.samples.is_none()) return {};
  if (config.training_split) return {"training_split", *config.training_split};
  if (config.validation_split) return {"validation_split", *config.validation_split};
  return {"test_split", config.test_split.value_or("")};
}

bool excludes_eval_document(const TaskConfig& config) {
  return config.fewshot.split == config.test_split;
}

FewshotSampler::FewshotSampler(const TaskConfig& config, const BuildOptions& options)
    : random_(seed_or_entropy(options.fewshot_seed)),
      first_n_(config.fewshot.sampler == "first_n"),
      excludes_(excludes_eval_document(config)) {}

Result<Positions> FewshotSampler::choose(const std::vector<Document>& pool, std::size_t count,
                                         const Document& document) {
  if (count == 0) return Positions{};
  if (first_n_) return first(pool, count, excludes_ ? &document : nullptr);
  if (excludes_) return drawn_excluding(pool, count, document);
  if (count > pool.size()) return too_few(count, pool.size());
  return random_.sample(pool.size(), count);
}

/// One more is drawn than needed, in case the document itself is among them. That shifts the later
/// draws whether it is or not.
Result<Positions> FewshotSampler::drawn_excluding(const std::vector<Document>& pool,
                                                  std::size_t count, const Document& document) {
  if (count + 1 > pool.size()) return too_few(count, pool.empty() ? 0 : pool.size() - 1);
  Positions positions = random_.sample(pool.size(), count + 1);
  std::erase_if(positions, [&](std::size_t i) { return pool[i] == document; });
  if (positions.size() >= count) {
    positions.resize(count);
    return positions;
  }
  Positions others;
  for (std::size_t i = 0; i < pool.size(); ++i)
    if (!(pool[i] == document)) others.push_back(i);
  if (others.size() < count) return too_few(count, others.size());
  positions = random_.sample(others.size(), count);
  for (std::size_t& position : positions) position = others[position];
  return positions;
}

Result<FewshotPool> FewshotPool::open(const TaskConfig& config, ProcessedSplits& splits,
                                      const std::vector<std::string>& columns) {
  FewshotPool pool;
  pool.task_ = config.task;
  pool.config_ = config.fewshot;
  const FewshotSource source = fewshot_source(config);
  if (source.field.empty()) {
    TARE_TRY(pool.documents_, sample_documents(config, splits.functions()));
  } else {
    TARE_TRY(const auto* documents,
             splits.find(source.field, source.split, fewshot_process_docs(config)));
    pool.documents_ = *documents;
  }
  TARE_TRY(pool.fields_, compile_fewshot_fields(config, columns, splits.functions()));
  TARE_TRY(pool.gen_prefix_,
           compile_text(config, "fewshot_config.gen_prefix", config.fewshot.gen_prefix));
  pool.turns_.resize(pool.documents_.size());
  return pool;
}

Result<const std::vector<Message>*> FewshotPool::turn(std::size_t position, bool multiple_input) {
  std::optional<std::vector<Message>>& messages = turns_[position];
  if (!messages) {
    TARE_TRY(const Turn turn, read(position, multiple_input));
    append_turn(messages.emplace(), turn);
  }
  return &*messages;
}

Result<Turn> FewshotPool::read(std::size_t position, bool multiple_input) const {
  const Document& document = documents_[position];
  const Place place{task_, "few-shot document", position};
  TARE_TRY(Question question, ask_document(fields_, document, place));
  auto prefix = gen_prefix_.ask(document);
  if (!prefix) return place.error("gen_prefix", prefix.error());
  TARE_TRY(auto answer, answer_text(question, multiple_input, place));
  TARE_TRY(std::string text, question_text(question, multiple_input, place));
  TARE_TRY(std::string prefix_text, text_or_nothing(*prefix, "gen_prefix", place));
  return Turn{std::move(text), std::move(answer), std::move(prefix_text), config_.target_delimiter,
              config_.fewshot_delimiter};
}

}  // namespace tare::task
