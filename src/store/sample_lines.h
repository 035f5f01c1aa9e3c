#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "base/value.h"

namespace tare::store {

/// Hands each line of a task's samples file to `use`, which says whether it is a sample. Errors: no
/// such file, a line that is none.
base::Status each_sample(const std::filesystem::path& folder, const std::string& task,
                         const std::function<bool(const base::Value& line)>& use);

/// "" where it is no text.
std::string text_of(const base::Value& value);

/// The metrics that the line names, with their values.
std::vector<std::pair<std::string, base::Value>> metrics_of(const base::Value& line);

/// All samples of a task as `read` takes a line: to none where it is no sample. Errors:
/// each_sample's.
template <class Sample>
base::Result<std::vector<Sample>> samples_as(
    const std::filesystem::path& folder, const std::string& task,
    std::optional<Sample> (*read)(const base::Value& line)) {
  std::vector<Sample> all;
  TARE_CHECK(each_sample(folder, task, [&](const base::Value& line) {
    auto sample = read(line);
    if (sample) all.push_back(std::move(*sample));
    return sample.has_value();
  }));
  return all;
}

}  // namespace tare::store
