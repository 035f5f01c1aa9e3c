// What a task asks, without a model: tare_prompts TASK.yaml
// Prints the first document's requests, and how many bytes all of them have and have in common.
// YAML -> TaskConfig -> documents -> requests -> plan: each arrow is one call into one room.

#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "backend/byte_tokenizer.h"
#include "base/result.h"
#include "data/dataset.h"
#include "plan/encode.h"
#include "plan/plan.h"
#include "task/task.h"

namespace {

using tare::base::Result;
namespace core = tare::core;
namespace data = tare::data;
namespace plan = tare::plan;
namespace task = tare::task;

Result<core::BuiltTask> open_task(const std::filesystem::path& file) {
  const task::BuildOptions options;
  TARE_TRY(const task::TaskConfig config, task::load_task(file));
  const data::Sources sources{.roots = {}, .bases = {".", file.parent_path()}};
  TARE_TRY(const core::Dataset dataset,
           data::open_dataset({config.dataset_path, config.dataset_name, config.dataset_kwargs},
                              sources, task::splits_needed(config, options)));
  return task::build(config, dataset, options);
}

/// A real tokenizer would count tokens; bytes need no model.
Result<plan::Plan> plan_task(const std::vector<core::BuiltTask>& tasks) {
  const tare::backend::ByteTokenizer bytes;
  TARE_TRY(auto encoded, plan::encode_requests(tasks, bytes, {}));
  return plan::make_plan(std::move(encoded));
}

Result<int> print(const std::filesystem::path& file) {
  std::vector<core::BuiltTask> tasks(1);
  TARE_TRY(tasks[0], open_task(file));
  TARE_TRY(const plan::Plan plan, plan_task(tasks));
  const core::Range first = core::request_ranges(tasks[0]).front();
  for (std::size_t i = first.first; i < first.last; ++i)
    std::printf("%s|%s\n", tasks[0].requests[i].context.c_str(),
                tasks[0].requests[i].continuation.c_str());
  std::printf("%s: %zu documents, %zu requests, %zu bytes, %zu unique\n", tasks[0].name.c_str(),
              tasks[0].documents.size(), tasks[0].requests.size(), plan.tokens.requested,
              plan.tokens.unique);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: tare_prompts TASK.yaml\n");
    return 2;
  }
  const Result<int> printed = print(argv[1]);
  if (!printed) std::fprintf(stderr, "tare_prompts: %s\n", printed.error().text.c_str());
  return printed ? *printed : 1;
}
