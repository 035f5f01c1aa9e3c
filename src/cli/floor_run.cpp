#include "cli/floor_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <span>
#include <system_error>

#include "base/files.h"
#include "cli/floor_progress.h"
#include "store/fields.h"
#include "store/part_log.h"

namespace tare::cli {
namespace {

namespace fs = std::filesystem;
using base::Result;
using base::Status;
using Clock = std::chrono::steady_clock;

FloorRow row_of(const FloorPlan& plan, std::size_t file, std::size_t base, std::string name,
                const core::Manner& manner) {
  FloorRow row{.file = file,
               .base = base,
               .name = std::move(name),
               .manner = manner,
               .fault = {},
               .windows = {}};
  row.fault = plan.files[file].fault;
  return row;
}

FloorRows rows_of(const FloorPlan& plan) {
  FloorRows all;
  const core::Manner& reference = plan.reference.manner;
  for (std::size_t file = 0; file < plan.files.size(); ++file) {
    all.rows.push_back(row_of(plan, file, file, kReferenceRow, reference));
    for (const PlannedSetting& one : plan.settings)
      if (one.missing.empty())
        all.rows.push_back(row_of(plan, file, file, one.setting.name, one.setting.manner));
  }
  for (std::size_t file = 1; file < plan.files.size(); ++file)
    all.rows.push_back(row_of(plan, file, 0, kPairRow, reference));
  return all;
}

std::string part_name(const FloorRow& row, std::size_t window) {
  return fmt::format("{}/{}/{}", row.file, row.name, window);
}

Status recall(store::PartLog& log, FloorRows& all, std::size_t windows) {
  TARE_TRY(const auto parts, log.parts());
  for (FloorRow& row : all.rows)
    for (std::size_t window = 0; window < windows; ++window) {
      const auto part = parts.find(part_name(row, window));
      if (part == parts.end()) continue;
      TARE_TRY(row.windows[window], floor::parse_window(part->second));
    }
  return {};
}

bool is_interrupted(const base::Error& error) {
  return error.kind == base::ErrorKind::interrupted;
}

/// One pass over the grid, a few windows at a time.
class FloorRun {
 public:
  FloorRun(const FloorPlan& plan, const FloorOptions& options, store::PartLog& log, FloorRows& all,
           const std::stop_token& stop)
      : plan_(plan),
        options_(options),
        log_(log),
        all_(all),
        stop_(stop),
        progress_(plan, all, options.quiet) {}

  /// All settings on windows [begin, end).
  Status pass(std::size_t begin, std::size_t end) {
    for (std::size_t file = 0; file < plan_.files.size(); ++file) {
      TARE_CHECK(pass(file, begin, end));
      remove_rows();
    }
    return {};
  }

  ~FloorRun() { remove_rows(); }
  FloorRun(const FloorRun&) = delete;
  FloorRun& operator=(const FloorRun&) = delete;

 private:
  void remove_rows() {
    std::error_code ignored;
    for (const fs::path& path : written_) fs::remove(path, ignored);
    written_.clear();
  }

  Status pass(std::size_t file, std::size_t begin, std::size_t end) {
    std::vector<FloorRow*> open;
    FloorRow* reference = nullptr;
    for (FloorRow& row : all_.rows) {
      if (row.base != file) continue;
      if (row.is_reference()) reference = &row;
      if (row.fault.empty() && !missing(row, begin, end).empty()) open.push_back(&row);
    }
    if (open.empty() || !reference->fault.empty()) return blame(*reference, open);
    TARE_CHECK(compute(*reference, begin, end));
    for (FloorRow* row : open)
      if (row != reference && reference->fault.empty()) TARE_CHECK(compute(*row, begin, end));
    return blame(*reference, open);
  }

  /// Settings without a reference to be compared with.
  static Status blame(const FloorRow& reference, const std::vector<FloorRow*>& open) {
    if (reference.fault.empty()) return {};
    for (FloorRow* row : open)
      if (row != &reference) row->fault = "its reference has failed: " + reference.fault;
    return {};
  }

  [[nodiscard]] std::vector<std::size_t> missing(const FloorRow& row, std::size_t begin,
                                                 std::size_t end) const {
    std::vector<std::size_t> windows;
    for (std::size_t window = begin; window < end; ++window)
      if (!row.windows.contains(window)) windows.push_back(window);
    return windows;
  }

  /// A row's missing windows, or all of a reference, whose rows the others need. Error: the user
  /// stopped it; all else is the row's fault.
  Status compute(FloorRow& row, std::size_t begin, std::size_t end) {
    std::vector<std::size_t> windows = missing(row, begin, end);
    const std::size_t fresh = windows.size();
    if (row.is_reference()) {
      windows.clear();
      for (std::size_t window = begin; window < end; ++window) windows.push_back(window);
    }
    const auto start = Clock::now();
    const Status status = compute(row, windows);
    if (!status && is_interrupted(status.error())) return status;
    if (!status) row.fault = status.error().text;
    progress_.done(row, fresh, std::chrono::duration<double>(Clock::now() - start).count());
    return {};
  }

  Status compute(FloorRow& row, std::span<const std::size_t> windows) {
    TARE_TRY(FloorProcess process, FloorProcess::start(stop_));
    TARE_CHECK(process.load(plan_.files[row.file].path, row.manner));
    for (const std::size_t window : windows) {
      TARE_TRY(auto result, process.compute(plan_.windows[window], files_of(row, window)));
      TARE_CHECK(keep(row, window, std::move(result)));
    }
    return {};
  }

  /// What was computed before counts, and the reference has to come out the same again.
  Status keep(FloorRow& row, std::size_t window, floor::WindowResult result) {
    const auto before = row.windows.find(window);
    if (before == row.windows.end()) {
      TARE_CHECK(log_.put(part_name(row, window), floor::window_text(result)));
      row.windows.emplace(window, std::move(result));
    } else if (before->second.sha256 != result.sha256) {
      return base::work_failed(fmt::format(
          "window {} came out with other bits than before the stop; what was compared with it does "
          "not hold; remove {} to begin anew",
          window, options_.output.string()));
    }
    return {};
  }

  RowFiles files_of(const FloorRow& row, std::size_t window) {
    RowFiles files;
    const fs::path reference = options_.output / fmt::format("reference-{}.rows", window);
    if (row.is_reference()) {
      files.rows = reference;
      written_.push_back(reference);
    } else {
      files.reference = reference;
    }
    if (!options_.rows.empty()) keep_rows(row, window, files);
    return files;
  }

  /// Rows that are kept get a name of their own, the reference's too.
  void keep_rows(const FloorRow& row, std::size_t window, RowFiles& files) {
    const auto name = [&](std::size_t file, const std::string& setting) {
      return options_.rows / fmt::format("{}-{}-{}.f32", file, setting, window);
    };
    files.rows = name(row.file, row.name);
    if (row.is_reference())
      written_.pop_back();
    else
      files.reference = name(row.base, kReferenceRow);
  }

  const FloorPlan& plan_;
  const FloorOptions& options_;
  store::PartLog& log_;
  FloorRows& all_;
  std::stop_token stop_;
  FloorProgress progress_;
  std::vector<fs::path> written_;
};

}  // namespace

bool FloorRow::is_reference() const {
  return name == kReferenceRow;
}

const FloorRow* FloorRows::find(std::size_t file, const std::string& name) const {
  for (const FloorRow& row : rows)
    if (row.file == file && row.name == name) return &row;
  return nullptr;
}

Result<FloorRows> run_floor(const FloorPlan& plan, const FloorOptions& options,
                            const std::stop_token& stop) {
  TARE_TRY(auto log, store::PartLog::open(options.output / store::fields::kFloorLogFile,
                                          settings_value(plan)));
  FloorRows all = rows_of(plan);
  TARE_CHECK(recall(log, all, plan.windows.size()));
  FloorRun run(plan, options, log, all, stop);
  const std::size_t step = std::max<std::size_t>(1, (options.row_space << 20) / row_bytes(plan));
  for (std::size_t begin = 0; begin < plan.windows.size(); begin += step)
    TARE_CHECK(run.pass(begin, std::min(begin + step, plan.windows.size())));
  return all;
}

}  // namespace tare::cli
