#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "core/task.h"
#include "store/study_ledger.h"
#include "study/cells.h"
#include "study/design.h"
#include "study/estimate.h"
#include "study/findings.h"

namespace tare::cli {

struct PlannedCell {
  study::Cell cell;
  std::string name;
  std::filesystem::path folder;
  std::vector<std::string> words;  ///< behind `tare run`, but for --output and --quiet
  bool finished = false;
  std::string change;   ///< what a finished one was asked and is not now; "" if that is the same
  std::string failure;  ///< why it has no results; "" if that is not known
  bool failed_items = false;  ///< of a finished one
};

/// Items of a benchmark that are asked.
struct PlannedItems {
  std::optional<study::Selection> selection;  ///< none: all
  std::size_t part = 0, whole = 0;            ///< documents that are asked, of how many
  std::vector<core::BuiltTask> tasks;         ///< without documents and prompts; empty: refused
  std::vector<std::string> metrics;           ///< as the tasks list them; ",FILTER" behind them
  bool more_metrics = false;                  ///< a task's function may give others than are listed
};

/// A study before it is run, or in the middle.
struct StudyPlan {
  study::Design design;
  std::vector<PlannedItems> items;  ///< of each benchmark
  std::vector<PlannedCell> cells;
  store::Ledger ledger;
  std::vector<study::Pace> paces;
  std::vector<std::string> refusals;  ///< why it cannot be run or reported as it is
};

/// Reads the study file and what its folder holds, and draws the samples. Refused are benchmarks
/// whose tasks cannot be built, metrics that no task has, and finished cells that were asked
/// something else. Error: the file is wrong.
base::Result<StudyPlan> plan_study(const std::filesystem::path& file);

/// The words of a cell that its results depend on, as the ledger keeps them.
std::vector<std::string> ledger_words(const PlannedCell& cell);

/// The folder in which a cell's speed is tried.
std::filesystem::path trial_folder(const StudyPlan& plan, const PlannedCell& cell);

/// Reads how fast the finished run in `folder` went, if it asked anything.
void add_pace(StudyPlan& plan, const PlannedCell& cell, const std::filesystem::path& folder);

/// Documents that a cell asks about.
std::size_t questions_in(const StudyPlan& plan, const PlannedCell& cell);

/// Seconds that a cell takes; nothing where that is unknown.
std::optional<double> cell_seconds(const StudyPlan& plan, const PlannedCell& cell);

/// Seconds for the cells that are not finished; nothing where one of them is unknown.
std::optional<double> seconds_left(const StudyPlan& plan);

/// Those that were begun and have no results, with the reasons.
std::vector<study::FailedCell> failed_cells(const StudyPlan& plan);

/// The table of `tare study --dry-run`: one row for each model, backend, mode and benchmark; then
/// why cells failed.
std::string plan_text(const StudyPlan& plan);

}  // namespace tare::cli
