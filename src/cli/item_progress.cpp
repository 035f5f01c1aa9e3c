#include "cli/item_progress.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/tell.h"
#include "run/progress.h"

namespace tare::cli {

ItemProgress::ItemProgress(const FloorPlan& plan, const ItemPlan& items, bool quiet)
    : plan_(plan), quiet_(quiet) {
  for (std::size_t file = 0; file < plan.files.size(); ++file)
    for (const ItemRow& row : items.rows)
      if (plan.files[file].loaded && (row.server == nullptr || items.server.missing.empty()))
        work_.push_back({file, &row, expected_seconds(plan, plan.files[file], row).value_or(0)});
}

double ItemProgress::correction() const {
  return expected_ > 0 ? taken_ / expected_ : 1;
}

void ItemProgress::begin(std::size_t file, const ItemRow& row, bool begun_before) {
  // Rows whose reference has failed are never begun.
  while (now_ + 1 < work_.size() && (work_[now_].file != file || work_[now_].row != &row)) ++now_;
  teaches_ = !begun_before;
  start_ = std::chrono::steady_clock::now();
  if (quiet_) return;
  tell("items {}/{}: {} {}, about {}\n", now_ + 1, work_.size(),
       plan_.files[file].path.filename().string(), row.name,
       run::clock_text(work_[now_].seconds * correction()));
}

void ItemProgress::done(const std::string& fault) {
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start_;
  const Work& work = work_[now_];
  ++now_;
  if (teaches_ && fault.empty()) {
    expected_ += work.seconds;
    taken_ += seconds.count();
  }
  if (quiet_) return;
  double left = 0;
  for (std::size_t i = now_; i < work_.size(); ++i) left += work_[i].seconds;
  tell("items {}/{}: {}; {} left\n", now_, work_.size(),
       fault.empty() ? "took " + run::clock_text(seconds.count()) : "failed: " + fault,
       run::clock_text(left * correction()));
}

}  // namespace tare::cli
