#include <doctest/doctest.h>

#include <cstdio>
#include <map>

#include "base/hash.h"
#include "base/json.h"
#include "data/dataset.h"
#include "shims/native_functions.h"
#include "support/support.h"
#include "task/task.h"
#include "task_hashes.h"

namespace tare::test {
namespace {

namespace fs = std::filesystem;
using base::Value;

/// What was found out about the records, for the one line at the end.
struct Tally {
  int records = 0, equal = 0, documents = 0;
  std::map<std::string, int> refused;  ///< by reason
};

task::BuildOptions options_of(const Value& record) {
  static shims::NativeFunctions functions;
  task::BuildOptions options;
  options.functions = &functions;
  options.run_unsafe_code = true;  // nothing is generated here, so nothing can run
  options.num_fewshot = static_cast<std::size_t>(record.find("num_fewshot")->as_int());
  options.limit = record.find("limit")->as_number();
  return options;
}

/// "!function utils.process_results": what a refusal is about.
std::string reason_of(const std::string& error) {
  const std::size_t function = error.find("!function ");
  if (function == std::string::npos) return error;
  return error.substr(function, error.find(" is ", function) - function);
}

base::Result<core::BuiltTask> build_record(const task::TaskConfig& config, const Value& record,
                                           const fs::path& hub) {
  const task::BuildOptions options = options_of(record);
  TARE_TRY(const core::Dataset dataset,
           data::open_dataset({config.dataset_path, config.dataset_name, config.dataset_kwargs},
                              {{hub}, {hub}}, task::splits_needed(config, options)));
  return task::build(config, dataset, options);
}

/// "" if all hashes equal the record's, else the first difference.
std::string difference(const core::BuiltTask& task, const Value& record) {
  const auto hashes = hashes_of(task);
  const base::List& expected = record.find("docs")->items();
  if (hashes.size() != expected.size()) return "another number of documents";
  if (Value(task.total_documents) != *record.find("n_total")) return "another size of the split";
  std::string once;
  for (std::size_t i = 0; i < hashes.size(); ++i) {
    const base::List& row = expected[i].items();
    const auto at = [&](const char* what) { return what + (" of document " + std::to_string(i)); };
    if (Value(task.doc_ids[i]) != row[0]) return at("id");
    if (hashes[i].document != row[1].as_string()) return at("document hash");
    if (hashes[i].prompt != row[2].as_string()) return at("prompt hash");
    if (hashes[i].target != row[3].as_string()) return at("target hash");
    once += hashes[i].document + hashes[i].prompt + hashes[i].target;
  }
  base::Sha256 all;
  for (std::size_t i = 0; i < task.filters.size(); ++i) all.update(once);
  return all.hex() == record.find("task_hash")->as_string() ? "" : "task hash";
}

void compare_record(const task::Index& index, const Value& record, const fs::path& hub,
                    Tally& tally) {
  const std::string name = record.find("task")->as_string();
  const auto configs = index.resolve({name});
  REQUIRE_MESSAGE(configs.has_value(), configs.error().text);
  ++tally.records;
  if (const auto supported = task::check_supported(configs->front(), options_of(record));
      !supported) {
    ++tally.refused[reason_of(supported.error().text)];
    return;
  }
  const auto built = build_record(configs->front(), record, hub);
  const std::string problem = built ? difference(*built, record) : built.error().text;
  if (!problem.empty()) {
    FAIL_CHECK(name << ", " << record.find("num_fewshot")->as_int() << " shots: " << problem);
    return;
  }
  ++tally.equal;
  tally.documents += static_cast<int>(built->documents.size());
}

TEST_CASE("documents, prompts and targets have the hashes that lm-eval logged") {
  const auto folder = lm_eval_tasks();
  const auto shared = shared_dir();
  if (!folder) return skip("TARE_LM_EVAL (the folder lm_eval/tasks of lm-eval 0.4.13)");
  if (!shared) return skip("../shared (hub and oracle)");
  if (!data::parquet_available()) return skip("a build that reads Parquet");
  const auto index = task::Index::scan({*folder});
  REQUIRE(index.has_value());
  Tally tally;
  for (const Value& record : json_lines(*shared / "oracle/public.jsonl"))
    compare_record(*index, record, *shared / "hub", tally);
  std::printf("%d records: %d equal over %d documents", tally.records, tally.equal,
              tally.documents);
  for (const auto& [reason, count] : tally.refused)
    std::printf(", %d refused for %s", count, reason.c_str());
  std::printf("\n");
  CHECK(tally.equal > 100);
}

}  // namespace
}  // namespace tare::test
