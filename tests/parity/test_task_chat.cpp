#include <doctest/doctest.h>

#include <cstdio>

#include "base/files.h"
#include "base/hash.h"
#include "base/json.h"
#include "data/dataset.h"
#include "shims/native_functions.h"
#include "support/chat_case.h"
#include "support/support.h"
#include "task/task.h"
#include "task_hashes.h"

namespace tare::test {
namespace {

namespace fs = std::filesystem;
using base::List;
using base::Value;

/// What the cases are built from.
struct Peers {
  task::Index index;
  fs::path hub, templates;
  Value tokens;
  std::int64_t limit = 0;
};

text::ChatRenderer renderer(const fs::path& file, const Value& tokens) {
  const auto source = base::read_file(file);
  REQUIRE_MESSAGE(source.has_value(), source.error().text);
  text::ChatSettings settings;
  settings.variables = tokens;
  settings.now = chat_clock;
  auto parsed = text::ChatTemplate::parse(*source, std::move(settings));
  REQUIRE_MESSAGE(parsed.has_value(), parsed.error().text);
  return [chat = std::move(*parsed)](const auto& messages, text::ChatEnd end) {
    return chat.render(messages, end);
  };
}

task::BuildOptions options_of(const Value& test, const Peers& peers) {
  static shims::NativeFunctions functions{shims::Table{}};  // scores are not compared
  const Value& given = *test.find("options");
  task::BuildOptions options;
  options.functions = &functions;
  options.run_unsafe_code = true;  // nothing is generated here, so nothing can run
  options.predict_only = true;     // prompts alone are compared
  options.limit = static_cast<double>(peers.limit);
  options.chat = renderer(peers.templates / test.find("template")->as_string(), peers.tokens);
  if (const Value* shots = given.find("num_fewshot"))
    options.num_fewshot = static_cast<std::size_t>(shots->as_int());
  if (const Value* system = given.find("system")) options.system_instruction = system->as_string();
  const Value* multiturn = given.find("multiturn");
  options.fewshot_as_multiturn = multiturn == nullptr || multiturn->as_bool();
  return options;
}

base::Result<core::BuiltTask> build_case(const Value& test, const Peers& peers) {
  TARE_TRY(const auto configs, peers.index.resolve({test.find("task")->as_string()}));
  const task::TaskConfig& config = configs.front();
  const task::BuildOptions options = options_of(test, peers);
  TARE_CHECK(task::check_supported(config, options));
  TARE_TRY(const core::Dataset dataset,
           data::open_dataset({config.dataset_path, config.dataset_name, config.dataset_kwargs},
                              {{peers.hub}, {peers.hub}}, task::splits_needed(config, options)));
  return task::build(config, dataset, options);
}

/// The texts of all requests, hashed as chat_prompts.py does.
std::string hash_of(const core::BuiltTask& task) {
  List all;
  for (const core::Request& request : task.requests) {
    List row{task.doc_ids[request.document], request.index};
    if (task.output_type != core::OutputType::loglikelihood_rolling) row.push_back(request.context);
    if (task.output_type != core::OutputType::generate_until) row.push_back(request.continuation);
    all.emplace_back(std::move(row));
  }
  return base::sha256_hex(base::json::dump(all));
}

/// A function of the task has no native twin here.
bool is_refusal(const base::Error& error) {
  return error.text.find("has no native twin") != std::string::npos;
}

TEST_CASE("shipped tasks under templates of published models ask what lm-eval asks") {
  const auto folder = lm_eval_tasks();
  const auto shared = shared_dir();
  const auto templates = template_folder();
  if (!folder) return skip("TARE_LM_EVAL (the folder lm_eval/tasks of lm-eval 0.4.13)");
  if (!shared) return skip("../shared (hub)");
  if (!templates) return skip("chat templates (the sources of llama.cpp)");
  if (!data::parquet_available()) return skip("a build that reads Parquet");
  auto index = task::Index::scan({*folder});
  REQUIRE(index.has_value());
  const Value file = load_cases("task/chat_tasks.json");
  const Peers peers{std::move(*index), *shared / "hub", *templates, *file.find("tokens"),
                    file.find("limit")->as_int()};
  std::size_t requests = 0, tasks = 0;
  for (const Value& test : file.find("cases")->items()) {
    CAPTURE(base::json::dump(test));
    const auto built = build_case(test, peers);
    if (!built && is_refusal(built.error())) {
      std::printf("refused: %s\n", built.error().text.c_str());
      continue;
    }
    REQUIRE_MESSAGE(built.has_value(), built.error().text);
    ++tasks;
    CHECK(Value(built->requests.size()) == *test.find("requests"));
    CHECK(hash_of(*built) == test.find("sha256")->as_string());
    requests += built->requests.size();
  }
  std::printf("%zu of %zu tasks under chat templates, %zu requests\n", tasks,
              file.find("cases")->items().size(), requests);
  CHECK(tasks >= 15);
}

}  // namespace
}  // namespace tare::test
