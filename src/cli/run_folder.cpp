#include "cli/run_folder.h"

#include <fmt/format.h>

#include <system_error>

#include "cli/command_words.h"
#include "store/journal.h"
#include "store/results.h"
#include "store/study_ledger.h"

namespace tare::cli {
namespace {

namespace fs = std::filesystem;

/// As the folder is named from where the run was started.
fs::path as_seen_from(const fs::path& start, const fs::path& folder) {
  std::error_code unknown;
  if (fs::equivalent(start, fs::current_path(unknown), unknown)) return folder;
  return fs::absolute(folder).lexically_normal();
}

/// What is wrong with a folder that holds nothing of a run.
std::string fault_of(const fs::path& folder) {
  std::error_code unknown;
  if (!fs::exists(folder, unknown)) return "is not there";
  if (!fs::is_directory(folder, unknown)) return "is a file";
  if (store::holds_ledger(folder))
    return fmt::format(
        "is the folder of a study, whose report is in {0}/report and whose runs are in "
        "{0}/cells/MODEL/BACKEND/MODE/BENCHMARK/REPETITION",
        folder.string());
  return "holds neither results.json nor journal.sqlite, which a run begins when its model is "
         "loaded";
}

}  // namespace

std::vector<std::string> next_words(const std::vector<std::string>& command,
                                    const fs::path& started_in, const fs::path& folder) {
  return resuming_words(command, as_seen_from(started_in, folder));
}

std::vector<std::string> next_words(const store::RunState& state) {
  if (state.ended && state.shards > 1 && state.failures.empty()) return {};
  return next_words(state.command, state.started_in, state.folder);
}

base::Status check_holds_run(const fs::path& folder) {
  TARE_TRY(const bool finished, store::holds_finished_run(folder));
  if (finished || store::holds_journal(folder)) return {};
  return base::input_error(
      fmt::format("{}: {}; wanted the output folder of a run", folder.string(), fault_of(folder)));
}

base::Status check_holds_results(const fs::path& folder) {
  TARE_CHECK(check_holds_run(folder));
  TARE_TRY(const bool finished, store::holds_finished_run(folder));
  if (finished) return {};
  TARE_TRY(const store::RunState state, store::read_run_state(folder));
  const std::vector<std::string> next = next_words(state);
  const std::string remedy =
      next.empty() || state.shards > 1
          ? fmt::format("unite all {} shards: tare merge SHARD... --output DIR", state.shards)
          : fmt::format("finish it, in {}, with: {}", state.started_in, shell_line(next));
  return base::input_error(fmt::format("{}: has no results yet, {} of {} answers are there; {}",
                                       folder.string(), state.answers, state.asked, remedy));
}

base::Result<store::RunFiles> finished_run(const fs::path& named) {
  auto files = store::find_run(named);
  if (!files && (store::holds_journal(named) || store::holds_ledger(named)))
    TARE_CHECK(check_holds_results(named));
  return files;
}

base::Result<fs::path> own_folder(const fs::path& named, std::string_view option) {
  TARE_TRY(const store::RunFiles files, finished_run(named));
  if (files.own()) return folder_of(files);
  return base::input_error(
      fmt::format("{}: is not the results.json of a run of tare; {} wants the output folder of one",
                  files.results.string(), option));
}

fs::path folder_of(const store::RunFiles& files) {
  return files.folder.empty() ? fs::path(".") : files.folder;
}

}  // namespace tare::cli
