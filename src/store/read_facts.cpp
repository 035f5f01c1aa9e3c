#include "store/read_facts.h"

#include <fmt/format.h>

#include "base/files.h"
#include "base/json.h"
#include "store/fields.h"
#include "store/run_block.h"

namespace tare::store {
namespace {

using base::Result;
using base::Value;

Result<Value> read_document(const std::filesystem::path& path) {
  TARE_TRY(const std::string text, base::read_file(path));
  auto root = base::json::parse(text);
  if (!root) return base::in_context(path.string(), {base::ErrorKind::input, root.error().text});
  return std::move(*root);
}

std::string text_at(const Value& dict, const char* key) {
  const Value found = entry(dict, key);
  return found.is_string() ? found.as_string() : "";
}

double number_at(const Value& dict, const char* key) {
  const Value found = entry(dict, key);
  return found.is_number() ? found.as_number() : 0;
}

void add_warnings(const Value& list, const std::string& task, std::vector<core::Warning>& all) {
  if (!list.is_list()) return;
  for (const Value& item : list.items()) {
    const auto count = static_cast<std::size_t>(number_at(item, fields::run::kCount));
    std::string text = text_at(item, fields::run::kText);
    if (!task.empty()) text = task + ": " + text;
    all.push_back({text_at(item, fields::run::kCode), std::move(text), count});
  }
}

void add_failures(const Value& task, RunFacts& facts) {
  const auto count = [](double number) { return static_cast<std::size_t>(number); };
  facts.failed_documents += count(number_at(task, fields::run::kFailed));
  const Value failures = entry(task, fields::run::kFailures);
  if (!failures.is_dict()) return;
  for (const auto& [reason, requests] : failures.as_dict())
    if (reason.is_string() && requests.is_number())
      facts.failures[reason.as_string()] += count(requests.as_number());
}

void read_block(const Value& block, RunFacts& facts) {
  namespace field = fields::run;
  const Value model = entry(block, field::kModel), backend = entry(block, field::kBackend);
  facts.spelling = text_at(model, field::kSpelling);
  facts.model_name = text_at(model, field::kName);
  facts.weights_sha256 = text_at(model, field::kSha256);
  facts.backend = text_at(backend, fields::given::kName);
  facts.version = text_at(backend, fields::given::kVersion);
  facts.backend_settings = entry(backend, fields::given::kBackendSettings);
  facts.generation_defaults = entry(backend, fields::given::kGenerationDefaults);
  facts.build = text_at(entry(block, field::kBuild), fields::given::kVersion);
  add_warnings(entry(block, field::kWarnings), "", facts.warnings);
  if (const Value tasks = entry(block, field::kTasks); tasks.is_dict())
    for (const auto& [name, task] : tasks.as_dict()) {
      add_warnings(entry(task, field::kWarnings), name.as_string(), facts.warnings);
      add_failures(task, facts);
    }
}

void read_times(const Value& execution, RunFacts& facts) {
  namespace field = fields::execution;
  const Value timings = entry(execution, field::kTimings);
  facts.load_seconds = number_at(timings, field::kLoadModel);
  facts.score_seconds = number_at(timings, field::kScore);
  facts.asked =
      static_cast<std::size_t>(number_at(entry(execution, field::kAnswers), field::kAsked));
  facts.machine = entry(execution, field::kMachine);
}

}  // namespace

Result<RunFacts> read_facts(const RunFiles& files) {
  RunFacts facts;
  TARE_TRY(const Value results, read_document(files.results));
  read_block(entry(results, fields::kTare), facts);
  if (!files.own()) return facts;
  const std::filesystem::path execution = files.folder / fields::kExecutionFile;
  std::error_code unknown;
  if (std::filesystem::exists(execution, unknown)) {
    TARE_TRY(const Value document, read_document(execution));
    read_times(document, facts);
  }
  return facts;
}

Result<RunFacts> read_facts(const std::filesystem::path& folder) {
  return read_facts(own_files(folder));
}

}  // namespace tare::store
