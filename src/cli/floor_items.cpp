#include "cli/floor_items.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>

#include "base/json.h"
#include "base/nearest.h"
#include "cli/functions.h"
#include "cli/prepare.h"
#include "cli/run_options.h"
#include "cli/study_worker.h"
#include "cli/tell.h"
#include "floor/report.h"
#include "run/progress.h"
#include "store/read_answers.h"
#include "store/read_results.h"

namespace tare::cli {
namespace {

namespace fs = std::filesystem;
using base::Result;
using base::Status;
using Clock = std::chrono::steady_clock;
using Words = std::vector<std::string>;

constexpr const char *kReferenceName = "reference", *kEverySetting = "all";
/// One of each kind of change: items take minutes where tokens take seconds.
const Words kUsualSettings{"tier-avx",   "ubatch-32",   "flash-attention",
                           "repack-off", "prefix-kept", "parallel-4"};

Words task_words(const FloorOptions& options) {
  Words words{"--tasks", options.tasks};
  words.insert(words.end(), options.task_words.begin(), options.task_words.end());
  return words;
}

/// A run of the items: a file in a manner.
struct ItemRun {
  const PlannedFile& file;
  core::Manner manner;
  fs::path folder;
};

Words run_words(const ItemRun& run, const FloorOptions& options) {
  Words words = task_words(options);
  const std::string manner = base::json::dump(floor::manner_value(run.manner));
  words.insert(words.end(), {"--model", "gguf:" + run.file.path.string(), "--output",
                             run.folder.string(), "--cache", "off", "--quiet", "--manner", manner});
  return words;
}

/// Why a run has no results; "" if it has.
Result<std::string> do_run(const ItemRun& run, const FloorOptions& options,
                           const std::stop_token& stop) {
  if (!run.file.fault.empty()) return run.file.fault;
  RunProcess process;
  TARE_TRY(const RunOutcome outcome, process.run(run_words(run, options), stop));
  if (outcome.code == kInterrupted)
    return base::fail(base::ErrorKind::interrupted, "the items were stopped");
  if (outcome.code == kDone || outcome.code == kDoneWithFailures) return std::string();
  return outcome.reason.empty() ? fmt::format("exit code {}", static_cast<int>(outcome.code))
                                : outcome.reason;
}

/// All tasks of a run that is the baseline in the other run.
Result<std::vector<study::TaskFlips>> compare_runs(const fs::path& first, const fs::path& second) {
  TARE_TRY(const core::RunRecord run, store::read_results(first));
  std::vector<study::TaskFlips> all;
  for (const core::TaskRecord& task : run.tasks) {
    TARE_TRY(const auto before, store::read_answers(store::own_files(first), task.task.name));
    TARE_TRY(const auto after, store::read_answers(store::own_files(second), task.task.name));
    TARE_TRY(auto flips, study::compare_answers(task.task.name, before, after));
    all.push_back(std::move(flips));
  }
  study::adjust(all);
  return all;
}

bool is_pinned(const floor::Setting& setting, const floor::Setting& reference,
               const std::vector<std::string>& pinned) {
  const auto factors = floor::factors_of(setting, reference);
  return std::ranges::any_of(factors, [&](const std::string& factor) {
    return std::ranges::find(pinned, factor) != pinned.end();
  });
}

Status check_names(const FloorPlan& plan, const Words& wanted) {
  Words names;
  for (const PlannedSetting& one : plan.settings) names.push_back(one.setting.name);
  for (const std::string& name : wanted) {
    if (name == kEverySetting || std::ranges::find(names, name) != names.end()) continue;
    const auto near = base::nearest_names(name, names, 1);
    return base::usage_error(
        fmt::format("--item-settings: '{}' is no setting of the grid{}; wanted all, or {}", name,
                    near.empty() ? "" : ", did you mean " + near[0] + "?", base::join_or(names)));
  }
  return {};
}

class ItemGrid {
 public:
  ItemGrid(const FloorPlan& plan, const FloorOptions& options, std::stop_token stop)
      : plan_(plan), options_(options), stop_(std::move(stop)) {}

  Result<floor::Answers> ask() {
    TARE_TRY(const auto settings, asked_settings(plan_, options_));
    runs_ = plan_.files.size() * (settings.size() + 1);
    floor::Answers answers;
    for (std::size_t file = 0; file < plan_.files.size(); ++file) {
      TARE_TRY(floor::FileAnswers one, ask_file(file, settings));
      answers.files.push_back(std::move(one));
    }
    if (plan_.files.size() == 2) answers.pair = pair();
    return answers;
  }

 private:
  [[nodiscard]] fs::path folder(std::size_t file, const std::string& setting) const {
    return options_.output / "items" / fmt::format("{}-{}", file, setting);
  }

  Result<floor::FileAnswers> ask_file(std::size_t file,
                                      const std::vector<const PlannedSetting*>& settings) {
    floor::FileAnswers answers{plan_.files[file].path.filename().string(), {}};
    TARE_TRY(const std::string fault, run(file, kReferenceName, plan_.reference.manner));
    references_.push_back(fault);
    for (const PlannedSetting* one : settings) {
      TARE_TRY(floor::SettingAnswers found, ask_setting(file, *one));
      answers.settings.push_back(std::move(found));
    }
    return answers;
  }

  Result<floor::SettingAnswers> ask_setting(std::size_t file, const PlannedSetting& one) {
    floor::SettingAnswers found;
    found.name = one.setting.name;
    found.change = floor::difference_text(one.setting, plan_.reference);
    found.pinned = is_pinned(one.setting, plan_.reference, options_.pinned);
    if (!references_[file].empty()) {
      found.fault = "its reference has failed: " + references_[file];
      return found;
    }
    TARE_TRY(found.fault, run(file, one.setting.name, one.setting.manner));
    if (found.fault.empty())
      compare(folder(file, kReferenceName), folder(file, one.setting.name), found);
    return found;
  }

  [[nodiscard]] floor::SettingAnswers pair() const {
    floor::SettingAnswers found;
    found.name = "pair";
    found.change = "the second file";
    for (const std::string& fault : references_)
      if (found.fault.empty()) found.fault = fault;
    if (found.fault.empty()) compare(folder(0, kReferenceName), folder(1, kReferenceName), found);
    return found;
  }

  static void compare(const fs::path& first, const fs::path& second, floor::SettingAnswers& found) {
    auto tasks = compare_runs(first, second);
    if (tasks)
      found.tasks = std::move(*tasks);
    else
      found.fault = tasks.error().text;
  }

  Result<std::string> run(std::size_t file, const std::string& name, const core::Manner& manner) {
    const auto start = Clock::now();
    TARE_TRY(std::string fault,
             do_run({plan_.files[file], manner, folder(file, name)}, options_, stop_));
    ++done_;
    if (!options_.quiet)
      tell("items {}/{}: {} {}: {}\n", done_, runs_, plan_.files[file].path.filename().string(),
           name,
           fault.empty()
               ? "took " +
                     run::clock_text(std::chrono::duration<double>(Clock::now() - start).count())
               : "failed: " + fault);
    return fault;
  }

  const FloorPlan& plan_;
  const FloorOptions& options_;
  std::stop_token stop_;
  std::vector<std::string> references_;  ///< faults of the files' references
  std::size_t done_ = 0, runs_ = 0;
};

}  // namespace

Result<std::vector<const PlannedSetting*>> asked_settings(const FloorPlan& plan,
                                                          const FloorOptions& options) {
  TARE_CHECK(check_names(plan, options.item_settings));
  const Words& wanted = options.item_settings.empty() ? kUsualSettings : options.item_settings;
  std::vector<const PlannedSetting*> asked, all;
  for (const PlannedSetting& one : plan.settings) {
    if (!one.missing.empty()) continue;
    all.push_back(&one);
    if (std::ranges::find(wanted, one.setting.name) != wanted.end()) asked.push_back(&one);
  }
  const bool every =
      wanted == Words{kEverySetting} || (asked.empty() && options.item_settings.empty());
  return every ? all : asked;
}

Status check_items(const FloorOptions& options) {
  CLI::App app("", "tare run");
  auto run = parse_run_options(app, task_words(options), ModelNeed::optional);
  if (!run) return base::usage_error("--tasks " + options.tasks + ": cannot be read");
  run->quiet = true;
  TARE_TRY(const worker::OpenFunctions functions, open_functions(*run));
  TARE_CHECK(prepare_tasks(*run));
  return {};
}

Result<floor::Answers> ask_items(const FloorPlan& plan, const FloorOptions& options,
                                 const std::stop_token& stop) {
  return ItemGrid(plan, options, stop).ask();
}

}  // namespace tare::cli
