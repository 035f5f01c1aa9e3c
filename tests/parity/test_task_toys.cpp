#include <doctest/doctest.h>

#include "base/files.h"
#include "base/json.h"
#include "data/dataset.h"
#include "support/support.h"
#include "task/task.h"
#include "task_hashes.h"

namespace tare::test {
namespace {

namespace fs = std::filesystem;
using base::Dict;
using base::List;
using base::Value;

Value json_file(const fs::path& file) {
  const auto text = base::read_file(file);
  REQUIRE_MESSAGE(text.has_value(), text.error().text);
  auto value = base::json::parse(*text);
  REQUIRE_MESSAGE(value.has_value(), value.error().text);
  return *value;
}

core::BuiltTask built(const task::TaskConfig& config, const fs::path& folder) {
  task::BuildOptions options;
  Dict model_arguments;
  model_arguments.set("pretrained", "parity");
  options.metadata = model_arguments;
  const auto dataset =
      data::open_dataset({config.dataset_path, config.dataset_name, config.dataset_kwargs},
                         {{}, {folder}}, task::splits_needed(config, options));
  REQUIRE_MESSAGE(dataset.has_value(), dataset.error().text);
  auto task = task::build(config, *dataset, options);
  REQUIRE_MESSAGE(task.has_value(), task.error().text);
  return std::move(*task);
}

/// What lm-eval hands to the model for one request.
List arguments_of(const core::BuiltTask& task, const core::Request& request) {
  switch (task.output_type) {
    case core::OutputType::loglikelihood_rolling:
      return {request.continuation};
    case core::OutputType::generate_until:
      return {request.context, task.generation_arguments};
    default:
      return {request.context, request.continuation};
  }
}

/// The same of all requests of one document.
List arguments_of(const core::BuiltTask& task, std::size_t document) {
  List arguments;
  for (const core::Request& request : task.requests)
    if (request.document == document) arguments.push_back(arguments_of(task, request));
  return arguments;
}

List arguments_logged(const Value& sample) {
  List arguments;
  for (const auto& [name, given] : sample.find("arguments")->as_dict()) {
    List values;
    for (const auto& [place, value] : given.as_dict()) values.push_back(value);
    arguments.push_back(std::move(values));
  }
  return arguments;
}

void compare_samples(const core::BuiltTask& task, const fs::path& file) {
  const auto samples = json_lines(file);
  const auto hashes = hashes_of(task);
  REQUIRE_EQ(samples.size(), task.documents.size() * task.filters.size());
  for (std::size_t line = 0; line < samples.size(); ++line) {
    const Value& sample = samples[line];
    const std::size_t i = line % task.documents.size();
    CHECK(*sample.find("doc_id") == Value(task.doc_ids[i]));
    CHECK(*sample.find("doc") == task.documents[i]);
    CHECK(Value(arguments_of(task, i)) == Value(arguments_logged(sample)));
    CHECK_EQ(sample.find("doc_hash")->as_string(), hashes[i].document);
    CHECK_EQ(sample.find("prompt_hash")->as_string(), hashes[i].prompt);
    CHECK_EQ(sample.find("target_hash")->as_string(), hashes[i].target);
  }
}

/// The logged block with `source` as its config_source, which depends on how a file was named.
std::string with_source(const Value& block, const std::string& source) {
  Dict metadata = block.find("metadata")->as_dict();
  metadata.set("config_source", source);
  Dict changed = block.as_dict();
  changed.set("metadata", metadata);
  return base::json::dump(changed, {.indent = 2});
}

TEST_CASE("toy tasks give lm-eval's arguments, hashes and configs, byte for byte") {
  const auto shared = shared_dir();
  if (!shared) return skip("../shared (parity)");
  const fs::path folder = *shared / "parity";
  const auto index = task::Index::scan({folder / "tasks"});
  REQUIRE(index.has_value());
  const auto selection = index->select({"p_grp"});
  REQUIRE_MESSAGE(selection.has_value(), selection.error().text);
  const fs::path out = folder / "out/parity";
  const Value results = json_file(file_with_prefix(out, "results_"));
  for (const task::TaskConfig& config : selection->tasks) {
    CAPTURE(config.task);
    const core::BuiltTask task = built(config, folder);
    compare_samples(task, file_with_prefix(out, "samples_" + config.task + "_"));
    const Value& logged = *results.find("configs")->find(config.task);
    CHECK_EQ(base::json::dump(task.config, {.indent = 2}),
             with_source(logged, config.file.string()));
  }
  CHECK_EQ(selection->tasks.size(), 6);
}

TEST_CASE("a group has lm-eval's children and order") {
  const auto shared = shared_dir();
  if (!shared) return skip("../shared (parity)");
  const fs::path folder = *shared / "parity";
  const auto index = task::Index::scan({folder / "tasks"});
  REQUIRE(index.has_value());
  const auto selection = index->select({"p_grp"});
  REQUIRE_MESSAGE(selection.has_value(), selection.error().text);
  const Value results = json_file(file_with_prefix(folder / "out/parity", "results_"));
  Dict subtasks;
  for (const task::GroupConfig& group : selection->groups)
    subtasks.set(group.name, List(group.children.begin(), group.children.end()));
  CHECK_EQ(base::json::dump(subtasks), base::json::dump(*results.find("group_subtasks")));
  std::vector<std::string> order;
  for (const auto& [name, row] : results.find("results")->as_dict())
    if (!subtasks.find(name)) order.push_back(name.as_string());
  std::vector<std::string> found;
  for (const task::TaskConfig& config : selection->tasks) found.push_back(config.task);
  CHECK_EQ(found, order);
}

}  // namespace
}  // namespace tare::test
