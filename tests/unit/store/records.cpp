#include "unit/store/records.h"

#include <doctest/doctest.h>

#include <cstdlib>

#include "base/files.h"
#include "support/support.h"

namespace tare::test {
namespace {

using base::Dict;
using base::List;
using base::Value;

Value dict(std::initializer_list<Dict::Entry> entries) {
  Dict made;
  for (const auto& [key, value] : entries) made.set(key, value);
  return made;
}

core::Response response(double log_likelihood, bool greedy, std::vector<core::Token> tokens,
                        std::size_t context) {
  core::Response made;
  made.outcome = core::LogLikelihood{log_likelihood, greedy};
  made.context_tokens = context;
  made.continuation_tokens = tokens.size() - context;
  made.tokens = std::move(tokens);
  return made;
}

core::TaskRecord choice_task() {
  core::TaskRecord record;
  core::BuiltTask& task = record.task;
  task.name = "zoo";
  task.alias = "the zoo";
  task.version = 1.5;
  task.num_fewshot = 2;
  task.metrics = {{"acc_norm", "mean", true, {}}, {"acc", "mean", true, {}}};
  task.documents = {dict({{"q", "Größe\n\"?\""}, {"n", Value()}, {"x", 1e-7}}), dict({{"q", "b"}})};
  task.doc_ids = {0, 7};
  task.golds = {{0, {"cat", "dog"}, std::nullopt}, {1, {"cat", "dog"}, std::nullopt}};
  for (std::size_t document : {0U, 1U})
    for (std::size_t choice : {0U, 1U})
      task.requests.push_back(
          {document, choice, document == 0 ? "Q: Größe" : "Q: b", choice == 0 ? " cat" : " dog"});
  task.total_documents = 9;
  task.config = dict({{"task", "zoo"}, {"metadata", dict({{"version", 1.5}})}});
  task.files = {{"tasks/zoo.yaml", "aa11"}, {"data/zoo.jsonl", "bb22"}};
  record.responses = {response(-1.25, true, {1, 2, 3, 40}, 3),
                      response(-0.1, false, {1, 2, 3, 50, 51}, 3),
                      response(-3, false, {1, 9, 40}, 2), response(0, false, {1, 9, 50, 51}, 2)};
  record.responses[1].truncated_tokens = 4;
  record.responses[3].outcome = core::RequestFailure{"out of memory"};
  record.score.filters = {
      {"none",
       {Value::tuple({-1.25, true}), Value::tuple({-0.1, false}), Value(), Value()},
       {{{{"acc", 1.0}, {"acc_norm", 0.0}}, false}, {{}, true}}}};
  record.score.estimates = {{"acc", "none", 1.0, std::nullopt, true, 1},
                            {"acc_norm", "none", 0.0, std::nullopt, true, 1}};
  record.score.failed_documents = 1;
  record.score.warnings = {{"failed-documents", "1 of 2 documents have no score", 1}};
  return record;
}

core::TaskRecord language_task() {
  core::TaskRecord record;
  core::BuiltTask& task = record.task;
  task.name = "a::last/word";
  task.version = "Yaml";
  task.output_type = core::OutputType::loglikelihood;
  task.metrics = {{"perplexity", "perplexity", false, {}}};
  task.documents = {dict({{"text", "one two"}}), dict({{"text", "three four"}})};
  task.doc_ids = {0, 1};
  task.golds = {{" two", {}, std::nullopt}, {" four", {}, std::nullopt}};
  task.requests = {{0, 0, "one", " two"}, {1, 0, "three", " four"}};
  task.total_documents = 2;
  task.config = dict({{"task", "a::last/word"}});
  record.responses = {response(-1.5, false, {5, 6}, 1), response(-2.5, true, {7, 8}, 1)};
  record.score.filters = {{"none",
                           {Value::tuple({-1.5, false}), Value::tuple({-2.5, true})},
                           {{{{"perplexity", -1.5}}, false}, {{{"perplexity", -2.5}}, false}}}};
  record.score.estimates = {{"perplexity", "none", 7.38905609893065, 2.2214, false, 2}};
  return record;
}

}  // namespace

core::RunRecord small_run() {
  core::RunRecord run;
  run.tasks = {choice_task(), language_task()};
  run.model = "gguf:models/small.gguf,threads=2";
  run.model_name = "models/small.gguf";
  run.model_path = "models/small.gguf";
  run.model_arguments = dict({{"path", "models/small.gguf"}, {"threads", 2}});
  run.backend = dict(
      {{"name", "llama.cpp"}, {"weights_sha256", "cc33"}, {"settings", dict({{"n_ubatch", 512}})}});
  run.settings = dict({{"limit", 5.0},
                       {"num_fewshot", Value()},
                       {"system_instruction", "0"},
                       {"fewshot_as_multiturn", true},
                       {"seed", List{0, 1234, Value(), 99}}});
  run.chat_template = "{{ messages[0].content }}";
  run.build = dict({{"version", "0.1.0"}});
  run.warnings = {{"slow", "the machine is slow", 2}};
  run.tokens = {100, 60};
  run.context_length = 2048;
  return run;
}

core::Execution small_execution() {
  core::Execution execution;
  execution.started = 1700000000.25;
  execution.ended = 1700000012.75;
  execution.timings = {0.5, 1.5, 0.25, 10.0, 12.5, 2.25};
  execution.answers = {40, 20, 0};
  execution.tokens = {60, 4};
  execution.backend = dict({{"threads", 2}});
  execution.machine = dict({{"cpu", "a CPU"}, {"processors", 2}});
  execution.warnings = {
      {.code = "cpu-tier-skipped", .text = "CPU tier zen9 was killed in its probe"}};
  execution.budget = {{60, 1.5e9, 9.5, std::nullopt}, {62, std::nullopt, 10.0, 250.0}, true};
  execution.peak_memory = 123456789;
  return execution;
}

void check_text(const std::string& name, const std::string& found) {
  const auto path = source_dir() / "tests/cases/store" / name;
  if (std::getenv("UPDATE_EXPECT") != nullptr) REQUIRE(base::write_file(path, found).has_value());
  const auto expected = base::read_file(path);
  REQUIRE_MESSAGE(expected.has_value(), expected.error().text);
  CHECK(found == *expected);
}

}  // namespace tare::test
