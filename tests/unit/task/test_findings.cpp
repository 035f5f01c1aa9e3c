#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "task/findings.h"

namespace tare::task {
namespace {

using base::Value;

/// `count` two-choice questions, every second of which has the second choice as its target.
core::BuiltTask questions(std::size_t count) {
  core::BuiltTask task;
  task.name = "toy";
  task.total_documents = count;
  task.config = base::Dict{};
  for (std::size_t i = 0; i < count; ++i) {
    task.documents.emplace_back(base::Dict{});
    task.doc_ids.push_back(i);
    task.golds.push_back({Value(i % 2), {"a", "b"}, std::nullopt});
    const std::string question = "Q" + std::to_string(i);
    task.requests.push_back({i, 0, question, " a"});
    task.requests.push_back({i, 1, question, " b"});
  }
  return task;
}

std::vector<std::string> codes(const core::BuiltTask& task) {
  std::vector<std::string> all;
  for (const core::Warning& warning : findings(task)) all.push_back(warning.code);
  return all;
}

using Codes = std::vector<std::string>;

Fault fault(std::size_t id, const std::string& what) {
  return {id, {base::ErrorKind::input, "task t: document " + std::to_string(id) + ": " + what}};
}

}  // namespace

TEST_CASE("a task as it should be gives no findings") {
  CHECK(codes(questions(12)).empty());
}

TEST_CASE("equal choices, by document") {
  core::BuiltTask task = questions(12);
  task.golds[3].choices = {"b", "b"};
  const auto found = findings(task);
  REQUIRE(found.size() == 1);
  CHECK(found[0].code == "equal-choices");
  CHECK(found[0].count == 1);
  CHECK(found[0].text.find("1 of 12 documents") != std::string::npos);
  CHECK(found[0].text.find("(doc_id 3)") != std::string::npos);
}

TEST_CASE("one right choice everywhere") {
  core::BuiltTask task = questions(12);
  for (core::Gold& gold : task.golds) gold.target = Value(1);
  CHECK(codes(task) == Codes{"one-answer"});
  task.output_type = core::OutputType::generate_until;
  CHECK(codes(task).empty());
}

TEST_CASE("empty targets, which a task's own scoring may mean") {
  core::BuiltTask task = questions(12);
  task.golds[0].target = Value("");
  task.golds[1].target = Value(base::List{});
  CHECK(codes(task) == Codes{"empty-target"});
  task.process_results = core::FunctionRef{};
  CHECK(codes(task).empty());
}

TEST_CASE("few documents in the split, not few evaluated ones") {
  core::BuiltTask task = questions(3);
  CHECK(codes(task) == Codes{"few-documents"});
  task.total_documents = 300;
  CHECK(codes(task).empty());
}

TEST_CASE("documents among their own examples") {
  core::BuiltTask task = questions(12);
  task.num_fewshot = 1;
  base::Dict config;
  config.set("fewshot_delimiter", "\n\n");
  task.config = std::move(config);
  for (core::Request& request : task.requests) request.context = "Q1 b\n\n" + request.context;
  CHECK(codes(task) == Codes{"own-example"});
  task.num_fewshot = 0;
  CHECK(codes(task).empty());
}

TEST_CASE("a question that all documents share is no leak") {
  core::BuiltTask task = questions(12);
  task.num_fewshot = 1;
  base::Dict config;
  config.set("fewshot_delimiter", "\n\n");
  task.config = std::move(config);
  for (core::Request& request : task.requests)
    request.context = "Text.\n\nWhy? Because\n\n" + request.context + "\n\nWhy?";
  CHECK(codes(task).empty());
}

TEST_CASE("faults that differ in numbers alone are one kind") {
  std::vector<Fault> faults;
  for (std::size_t id = 0; id < 12; ++id) faults.push_back(fault(id, "index 10 of 2"));
  faults.push_back(fault(20, "'x' is undefined"));
  const auto kinds = fault_kinds(faults);
  REQUIRE(kinds.size() == 2);
  CHECK(kinds[0].text == "task t: document 0: index 10 of 2");
  CHECK(kinds[0].count == 12);
  CHECK(kinds[0].doc_ids == std::vector<std::size_t>{0, 1, 2, 3, 4});
  CHECK(kinds[1].count == 1);
  CHECK(kinds[1].doc_ids == std::vector<std::size_t>{20});
}

}  // namespace tare::task
