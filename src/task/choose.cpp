#include "task/choose.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tare::task {
namespace {

using base::Result;

std::vector<std::size_t> first_documents(std::size_t count) {
  std::vector<std::size_t> positions(count);
  std::iota(positions.begin(), positions.end(), std::size_t{0});
  return positions;
}

/// Below 1 a share of all, rounded up; else a count, cut to whole documents.
Result<std::size_t> limited(double limit, std::size_t total) {
  if (!(limit > 0) || std::isinf(limit))
    return base::usage_error(
        fmt::format("--limit {}: wanted a count from 1 or a share between 0 and 1", limit));
  const double count =
      limit < 1 ? std::ceil(static_cast<double>(total) * limit) : std::floor(limit);
  return count < static_cast<double>(total) ? static_cast<std::size_t>(count) : total;
}

Result<std::vector<std::size_t>> named_documents(const std::string& task, std::size_t total,
                                                 std::vector<std::size_t> positions) {
  std::ranges::sort(positions);
  positions.erase(std::unique(positions.begin(), positions.end()), positions.end());
  if (positions.empty())
    return base::usage_error(fmt::format("--samples: the list for task {} is empty", task));
  if (positions.back() >= total)
    return base::usage_error(fmt::format("--samples: task {} has no document {}, only 0 to {}",
                                         task, positions.back(), total - 1));
  return positions;
}

}  // namespace

EvalSplit eval_split(const TaskConfig& config) {
  if (config.test_split) return {"test_split", *config.test_split};
  if (config.validation_split) return {"validation_split", *config.validation_split};
  return {};
}

std::size_t effective_fewshot(const TaskConfig& config, const BuildOptions& options) {
  const bool fixed = config.num_fewshot == std::size_t{0};
  return fixed ? 0 : options.num_fewshot.value_or(config.num_fewshot.value_or(0));
}

Result<std::vector<std::size_t>> choose_documents(const std::string& task, std::size_t total,
                                                  const BuildOptions& options) {
  if (options.limit && !options.samples.empty())
    return base::usage_error("--limit and --samples exclude each other; give one of them");
  if (const auto named = options.samples.find(task); named != options.samples.end())
    return named_documents(task, total, named->second);
  if (!options.limit) return first_documents(total);
  TARE_TRY(const std::size_t count, limited(*options.limit, total));
  return first_documents(count);
}

Result<const core::Split*> find_split(const std::string& task, const core::Dataset& dataset,
                                      const std::string& field, const std::string& name) {
  const auto split = dataset.splits.find(name);
  if (split != dataset.splits.end()) return &split->second;
  std::vector<std::string> names;
  for (const auto& [known, rows] : dataset.splits) names.push_back(known);
  return base::input_error(fmt::format("task {}: {}: the data set has no split '{}', only {}", task,
                                       field, name, fmt::join(names, ", ")));
}

}  // namespace tare::task
