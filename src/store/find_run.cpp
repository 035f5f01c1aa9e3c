#include "store/find_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <regex>
#include <string_view>
#include <system_error>

#include "base/nearest.h"
#include "store/fields.h"
#include "store/results.h"

namespace tare::store {
namespace {

namespace fs = std::filesystem;
using base::Result;

constexpr std::string_view kLmEvalPrefix = "results_";

/// What lm-eval puts at the end of a name: the local time, ':' written as '-'. "" without one.
std::string time_of(const fs::path& results) {
  static const std::regex pattern(R"(.*_(\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d(?:\.\d+)?)\.json)");
  const std::string name = results.filename().string();
  std::smatch found;
  return std::regex_match(name, found, pattern) ? found[1].str() : "";
}

/// lm-eval's results in a folder, the newest first.
std::vector<fs::path> lm_eval_results(const fs::path& folder) {
  std::vector<fs::path> found;
  std::error_code fault;
  for (const auto& entry : fs::directory_iterator(folder, fault))
    if (entry.path().filename().string().starts_with(kLmEvalPrefix) && !time_of(entry).empty())
      found.push_back(entry.path());
  std::ranges::sort(found,
                    [](const fs::path& a, const fs::path& b) { return time_of(a) > time_of(b); });
  return found;
}

RunFiles newest(std::vector<fs::path> results) {
  RunFiles files{.results = results.front(),
                 .folder = results.front().parent_path(),
                 .time = time_of(results.front()),
                 .passed_over = {}};
  files.passed_over.assign(results.begin() + 1, results.end());
  return files;
}

/// Folders right below, that hold lm-eval's results.
std::vector<std::string> model_folders(const fs::path& folder) {
  std::vector<std::string> found;
  std::error_code fault;
  for (const auto& entry : fs::directory_iterator(folder, fault))
    if (entry.is_directory(fault) && !lm_eval_results(entry).empty())
      found.push_back(entry.path().string());
  std::ranges::sort(found);
  return found;
}

/// Why nothing can be said of it: "Permission denied"; "" if that is not so.
std::string no_sight(const fs::path& named) {
  std::error_code fault;
  const auto denied = [&] { return fault == std::errc::permission_denied; };
  if (fs::is_directory(named, fault)) {
    const fs::directory_iterator looked(named, fault);
    if (!denied() && fs::exists(named / fields::kResultsFile, fault)) return "";
  }
  return denied() ? fault.message() : "";
}

base::Failure nothing_found(const fs::path& named) {
  if (const std::string why = no_sight(named); !why.empty())
    return base::input_error(fmt::format(
        "{}: cannot be looked into: {}; wanted the output folder of a finished run that "
        "you may read",
        named.string(), why));
  std::error_code fault;
  std::string found = fmt::format("holds neither {} of tare nor {}TIME.json of lm-eval",
                                  fields::kResultsFile, kLmEvalPrefix);
  if (!fs::exists(named, fault))
    found = "is not there";
  else if (!fs::is_directory(named, fault))
    found = "is no file of results";
  return base::input_error(
      fmt::format("{}: {}; wanted the output folder of a finished run, or its file of results",
                  named.string(), found));
}

}  // namespace

bool RunFiles::own() const {
  return results.filename() == fields::kResultsFile;
}

fs::path RunFiles::samples(const std::string& task) const {
  if (time.empty()) return folder / samples_file_name(task);
  return folder / fmt::format("samples_{}_{}.jsonl", task, time);
}

RunFiles own_files(const fs::path& folder) {
  return {
      .results = folder / fields::kResultsFile, .folder = folder, .time = "", .passed_over = {}};
}

bool is_run_file_name(std::string_view name) {
  static const std::regex pattern(R"(results\.json|samples_.+\.jsonl|execution\.json|)"
                                  R"(study\.json|(journal|floor)\.sqlite(-.+)?)");
  if (std::regex_match(name.begin(), name.end(), pattern)) return true;
  return name.starts_with(kLmEvalPrefix) && !time_of(name).empty();
}

Result<RunFiles> find_run(const fs::path& named) {
  std::error_code fault;
  if (fs::is_regular_file(named, fault) && named.extension() == ".json")
    return RunFiles{
        .results = named, .folder = named.parent_path(), .time = time_of(named), .passed_over = {}};
  if (fs::exists(named / fields::kResultsFile, fault)) return own_files(named);
  if (auto results = lm_eval_results(named); !results.empty()) return newest(std::move(results));
  const std::vector<std::string> models = model_folders(named);
  if (models.size() == 1) return newest(lm_eval_results(models.front()));
  if (models.size() > 1)
    return base::input_error(fmt::format("{}: holds the results of {} models; wanted one of {}",
                                         named.string(), models.size(), base::join_or(models)));
  return nothing_found(named);
}

}  // namespace tare::store
