#include "store/lm_eval_files.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <chrono>
#include <string>
#include <utility>

#include "base/files.h"
#include "base/json.h"
#include "store/execution.h"
#include "store/fields.h"
#include "store/names.h"
#include "store/results.h"

namespace tare::store {
namespace {

namespace fs = std::filesystem;
namespace lm_eval = fields::lm_eval;
using base::Dict;
using base::Result;
using base::Value;
using Clock = std::chrono::system_clock;

Result<Value> read_object(const fs::path& file) {
  TARE_TRY(const std::string text, base::read_file(file));
  TARE_TRY(Value document, base::json::parse(text));
  if (!document.is_dict())
    return base::input_error(
        fmt::format("{}: holds a {}; wanted an object", file.string(), document.type_name()));
  return document;
}

/// The end of the run; where nothing tells it, when its results were written.
Result<Clock::time_point> end_of(const Value& execution, const fs::path& results) {
  if (const Value* end = execution.find(lm_eval::kEndTime); end != nullptr && end->is_number())
    return Clock::time_point(std::chrono::duration_cast<Clock::duration>(
        std::chrono::duration<double>(end->as_number())));
  std::error_code fault;
  const auto written = fs::last_write_time(results, fault);
  if (fault) return base::input_error(fmt::format("{}: {}", results.string(), fault.message()));
  return std::chrono::time_point_cast<Clock::duration>(std::chrono::file_clock::to_sys(written));
}

/// As Python's isoformat() in a file name: "2026-11-29T18-13-33.957052".
std::string time_in_name(Clock::time_point time) {
  const auto seconds = std::chrono::floor<std::chrono::seconds>(time);
  const auto rest = std::chrono::duration_cast<std::chrono::microseconds>(time - seconds);
  return fmt::format("{:%Y-%m-%dT%H-%M-%S}.{:06}", fmt::gmtime(Clock::to_time_t(seconds)),
                     rest.count());
}

/// The results with the times that tare keeps apart, each key where lm-eval has it.
Value with_times(const Value& results, const Value& execution) {
  Dict document;
  const auto take = [&](const char* key) {
    if (const Value* value = execution.find(key)) document.set(key, *value);
  };
  for (const auto& [key, value] : results.as_dict()) {
    document.set(key, value);
    if (key == Value(lm_eval::kGitHash)) take(lm_eval::kDate);
    if (key != Value(lm_eval::kChatTemplateSha)) continue;
    for (const char* time : {lm_eval::kStartTime, lm_eval::kEndTime, lm_eval::kTotalSeconds})
      take(time);
  }
  return document;
}

/// Samples may be larger than the memory.
base::Status copy_samples(const fs::path& from, const fs::path& to) {
  std::error_code fault;
  fs::copy_file(from, to, fs::copy_options::overwrite_existing, fault);
  if (!fault) return {};
  return base::work_failed(
      fmt::format("{}: cannot be copied to {}: {}", from.string(), to.string(), fault.message()));
}

std::string model_folder(const Value& results) {
  const Value* name = results.find(lm_eval::kModelNameSanitized);
  const bool told = name != nullptr && name->is_string() && !name->as_string().empty();
  // Not every name that a file may hold is one of a folder below the output.
  return told ? sanitized_model_name(name->as_string()) : "model";
}

}  // namespace

Result<std::vector<fs::path>> write_lm_eval_files(const fs::path& run, const fs::path& output) {
  const fs::path file = run / fields::kResultsFile;
  TARE_TRY(const Value results, read_object(file));
  Value execution;
  if (holds_execution(run)) {
    TARE_TRY(execution, read_object(run / fields::kExecutionFile));
  }
  TARE_TRY(const auto end, end_of(execution, file));
  const std::string time = time_in_name(end);
  const fs::path folder = output / model_folder(results);
  TARE_CHECK(base::ensure_writable_folder(folder));
  std::vector<fs::path> written;
  const Value* tasks = results.find(lm_eval::kResults);
  if (tasks != nullptr && tasks->is_dict())
    for (const auto& [name, row] : tasks->as_dict()) {
      const fs::path samples = run / samples_file_name(name.as_string());
      std::error_code unknown;
      if (!fs::exists(samples, unknown)) continue;  // a group, or samples that were not asked for
      written.push_back(folder / fmt::format("{}_{}.jsonl", samples.stem().string(), time));
      TARE_CHECK(copy_samples(samples, written.back()));
    }
  written.push_back(folder / fmt::format("results_{}.json", time));
  TARE_CHECK(base::write_file(written.back(),
                              base::json::dump(with_times(results, execution), {.indent = 2})));
  return written;
}

}  // namespace tare::store
