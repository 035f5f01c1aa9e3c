#include "cli/floor_item_words.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "base/json.h"

namespace tare::cli {
namespace {

using Words = std::vector<std::string>;

struct UsualTask {
  std::string_view name;
  std::size_t documents;  ///< of the smallest known form of the benchmark
  std::size_t items;
};
constexpr std::array<UsualTask, 3> kUsual{
    {{"floor_mmlu", 14042, 600}, {"floor_triviaqa", 11313, 190}, {"floor_gsm8k", 1319, 190}}};

constexpr const char *kSamples = "--samples", *kLimit = "--limit";

bool chooses_items(const std::string& option) {
  return option == kSamples || option == kLimit;
}

/// `count` of `all` positions, evenly.
std::vector<std::size_t> spread(std::size_t all, std::size_t count) {
  std::vector<std::size_t> chosen;
  for (std::size_t i = 0; i < count; ++i) chosen.push_back(i * all / count);
  return chosen;
}

void add_samples(base::Dict& samples, std::string_view task, const std::vector<std::size_t>& ids) {
  base::List list;
  for (const std::size_t id : ids) list.emplace_back(static_cast<std::int64_t>(id));
  samples.set(std::string(task), std::move(list));
}

std::string task_names(const FloorOptions& options) {
  if (options.tasks != kUsualTasks) return options.tasks;
  Words names;
  for (const UsualTask& task : kUsual) names.emplace_back(task.name);
  return fmt::format("{}", fmt::join(names, ","));
}

std::string usual_samples() {
  base::Dict samples;
  for (const UsualTask& task : kUsual)
    add_samples(samples, task.name, spread(task.documents, task.items));
  return base::json::dump(samples);
}

}  // namespace

Words item_words(const FloorOptions& options) {
  Words words{"--tasks", task_names(options)};
  words.insert(words.end(), options.task_words.begin(), options.task_words.end());
  if (options.tasks == kUsualTasks && std::ranges::none_of(options.task_words, chooses_items))
    words.insert(words.end(), {kSamples, usual_samples()});
  return words;
}

Words fewer_item_words(const FloorOptions& options, std::span<const core::BuiltTask> tasks,
                       std::size_t most) {
  Words words{"--tasks", task_names(options)};
  for (std::size_t i = 0; i + 1 < options.task_words.size(); i += 2)
    if (!chooses_items(options.task_words[i]))
      words.insert(words.end(), {options.task_words[i], options.task_words[i + 1]});
  base::Dict samples;
  for (const core::BuiltTask& task : tasks) {
    std::vector<std::size_t> ids;
    const std::size_t all = task.doc_ids.size();
    for (const std::size_t position : spread(all, std::min(all, most)))
      ids.push_back(task.doc_ids[position]);
    add_samples(samples, task.name, ids);
  }
  words.insert(words.end(), {kSamples, base::json::dump(samples)});
  return words;
}

}  // namespace tare::cli
