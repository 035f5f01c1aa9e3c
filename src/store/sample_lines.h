#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "base/value.h"
#include "store/find_run.h"

namespace tare::store {

/// Says whether a line is a sample.
using UseSample = std::function<bool(const base::Value& line)>;

/// Lines of samples that come in pieces; no more than one line is kept.
class SampleLines {
 public:
  /// `file` is named in errors.
  SampleLines(std::string file, UseSample use) : file_(std::move(file)), use_(std::move(use)) {}
  /// Nothing is used after an error.
  void add(std::string_view piece);
  /// Error: the first line that is no sample.
  base::Status end();

 private:
  void use_line(std::string_view line);

  std::string file_;
  UseSample use_;
  std::string begun_;  ///< of a line whose end has not come yet
  std::size_t number_ = 0;
  base::Status status_;
};

/// Hands each line of a task's samples file to `use`. Errors: no such file, a line that is no
/// sample.
base::Status each_sample(const RunFiles& files, const std::string& task, const UseSample& use);

/// "" where it is no text.
std::string text_of(const base::Value& value);

/// Why a document has no score: the reason of the document itself, else of its first request
/// without an answer; "" if not told.
std::string failure_of(const base::Value& line);

/// The metrics that the line names, with their values.
std::vector<std::pair<std::string, base::Value>> metrics_of(const base::Value& line);

/// All samples of a task as `read` takes a line: to none where it is no sample. Errors:
/// each_sample's.
template <class Sample>
base::Result<std::vector<Sample>> samples_as(
    const RunFiles& files, const std::string& task,
    std::optional<Sample> (*read)(const base::Value& line)) {
  std::vector<Sample> all;
  TARE_CHECK(each_sample(files, task, [&](const base::Value& line) {
    auto sample = read(line);
    if (sample) all.push_back(std::move(*sample));
    return sample.has_value();
  }));
  return all;
}

}  // namespace tare::store
