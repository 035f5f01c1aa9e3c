#include <doctest/doctest.h>

#include "cases.h"
#include "task/fields.h"
#include "task/metrics.h"

namespace tare::test {
namespace {

using base::List;
using base::Value;

Value metrics_of(const task::TaskConfig& config) {
  List metrics;
  for (const core::MetricSpec& spec : task::metric_specs(config, false))
    metrics.push_back(List{spec.name, spec.aggregation, spec.higher_is_better, spec.arguments});
  return metrics;
}

Value property(const task::TaskConfig& config, const std::string& name) {
  if (name == "merged") return config.merged;
  if (name == "fewshot_config") return config.fewshot_config;
  if (name == "generation_kwargs") return config.generation_kwargs;
  if (name == "metadata") return config.metadata;
  if (name == "tags") return List(config.tags.begin(), config.tags.end());
  if (name == "metrics") return metrics_of(config);
  if (name == "files") return config.files.size();
  if (name == "config") return task::config_block(config, config.num_fewshot.value_or(0), {});
  FAIL("no such property: " << name);
  return {};
}

TEST_CASE("a task file is loaded, or refused with its place") {
  for_each_case("load.json", [](const Value& test) {
    const TempDir folder;
    write_files(folder, at(test, "files"));
    const auto config = task::load_task(folder.path() / at(test, "load").as_string());
    if (expects_error(test, config ? nullptr : &config.error(), folder)) return;
    for (const auto& [key, expected] : at(test, "expect").as_dict()) {
      const std::string name = key.as_string();
      CAPTURE(name);
      CHECK_EQ(without_folder(dumped(property(*config, name)), folder), dumped(expected));
    }
  });
}

}  // namespace
}  // namespace tare::test
