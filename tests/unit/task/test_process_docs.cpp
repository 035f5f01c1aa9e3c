#include <doctest/doctest.h>

#include <algorithm>

#include "base/hash.h"
#include "base/python_random.h"
#include "cases.h"
#include "task/task.h"

namespace tare::test {
namespace {

using base::List;
using base::Value;

/// A process_docs that puts the documents into another order at each call, as helpers with a
/// generator of their module do.
class Shuffling final : public core::Functions {
 public:
  [[nodiscard]] bool knows(const core::FunctionRef&, core::FunctionUse) const override {
    return true;
  }
  base::Result<Value> call(const core::FunctionRef&, core::FunctionUse,
                           std::span<const Value> arguments) override {
    ++calls;
    List documents = arguments[0].items();
    std::ranges::rotate(documents, documents.begin() + calls % 3);
    return Value(std::move(documents));
  }
  int calls = 0;
};

task::TaskConfig task_with(const TempDir& folder, const std::string& splits) {
  folder.write("utils.py", "def f(documents): ...\n");
  const auto file =
      folder.write("t.yaml", "task: t\ndataset_path: json\n" + splits +
                                 "output_type: multiple_choice\nprocess_docs: !function utils.f\n"
                                 "doc_to_text: q\ndoc_to_target: y\ndoc_to_choice: [a, b]\n");
  auto config = task::load_task(file);
  REQUIRE_MESSAGE(config.has_value(), config.error().text);
  return *config;
}

core::Dataset rows(const std::string& name) {
  core::Dataset dataset;
  core::Split& split = dataset.splits[name];
  split.columns = {"q", "y"};
  for (int i = 0; i < 4; ++i) {
    base::Dict row;
    row.set("q", "Q" + std::to_string(i));
    row.set("y", i % 2);
    split.rows.emplace_back(std::move(row));
  }
  return dataset;
}

}  // namespace

// lm-eval 0.4.13 runs process_docs at every access of a split: the gpqa tasks score against another
// shuffle than the one they prompted with.
TEST_CASE("the documents that are prompted are those that are scored") {
  const TempDir folder;
  Shuffling functions;
  task::BuildOptions options;
  options.functions = &functions;
  const auto built = task::build(task_with(folder, "test_split: test\n"), rows("test"), options);
  REQUIRE_MESSAGE(built.has_value(), built.error().text);
  CHECK(functions.calls == 1);
  for (const core::Request& request : built->requests)
    CHECK(Value(request.context) == *built->documents[request.document].find("q"));
}

TEST_CASE("examples from the evaluated split are of the same documents") {
  const TempDir folder;
  Shuffling functions;
  task::BuildOptions options;
  options.functions = &functions;
  options.num_fewshot = 1;
  const auto built = task::build(task_with(folder, "test_split: test\nfewshot_split: test\n"),
                                 rows("test"), options);
  REQUIRE_MESSAGE(built.has_value(), built.error().text);
  CHECK(functions.calls == 1);
}

}  // namespace tare::test
