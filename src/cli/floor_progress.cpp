#include "cli/floor_progress.h"

#include <fmt/format.h>

#include <array>

#include "cli/tell.h"
#include "floor/divergences.h"
#include "run/progress.h"

namespace tare::cli {
namespace {

/// The mean over what was just computed, to be looked at while it goes on.
std::string outcome(const FloorRow& row) {
  if (!row.fault.empty()) return "failed: " + row.fault;
  double sum = 0;
  std::size_t positions = 0;
  for (const auto& [number, window] : row.windows) {
    for (const double one : window.rows.divergence) sum += one;
    positions += window.rows.divergence.size();
  }
  if (positions == 0) return "done";
  return fmt::format("mean KL {:.2e}", sum / static_cast<double>(positions));
}

}  // namespace

std::string FloorProgress::key(const FloorRow& row) {
  return fmt::format("{}/{}", row.file, row.name);
}

FloorProgress::FloorProgress(const FloorPlan& plan, const FloorRows& rows, bool quiet)
    : quiet_(quiet) {
  for (const FloorRow& row : rows.rows) {
    Work& work = work_[key(row)];
    work.left = row.fault.empty() ? plan.windows.size() - row.windows.size() : 0;
    total_ += work.left;
    if (const auto all = expected_seconds(plan, plan.files[row.file], row.manner))
      work.a_window = *all / static_cast<double>(plan.windows.size());
  }
}

std::optional<double> FloorProgress::seconds_left() const {
  double seconds = 0;
  for (const auto& [name, work] : work_) {
    if (work.left == 0) continue;
    if (!work.a_window) return std::nullopt;
    seconds += static_cast<double>(work.left) * *work.a_window;
  }
  return seconds;
}

void FloorProgress::done(const FloorRow& row, std::size_t windows, double seconds) {
  Work& work = work_[key(row)];
  const bool failed = !row.fault.empty();
  const std::size_t finished = failed ? work.left : std::min(windows, work.left);
  done_ += finished;
  work.left -= finished;
  if (!failed && windows > 0) work.a_window = seconds / static_cast<double>(windows);
  if (quiet_) return;
  const auto left = seconds_left();
  tell("[{}/{}] file {}, {}: {}, {:.1f} s; {}\n", done_, total_, row.file + 1, row.name,
       outcome(row), seconds, left ? run::clock_text(*left) + " left" : "time left unknown");
}

}  // namespace tare::cli
