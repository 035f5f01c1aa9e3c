#include "cli/report_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <system_error>

#include "backend/llama/tokenizer_file.h"
#include "base/files.h"
#include "cli/build_info.h"
#include "cli/interrupt.h"
#include "cli/model_spec.h"
#include "cli/output_folder.h"
#include "cli/run_folder.h"
#include "cli/token_scores.h"
#include "store/find_run.h"
#include "store/journal.h"
#include "store/read_facts.h"
#include "store/read_items.h"
#include "store/read_run.h"
#include "store/study_ledger.h"
#include "study/run_page.h"

namespace tare::cli {
namespace {

namespace fs = std::filesystem;
using base::Result;
using base::Status;

/// The vocabulary of the run's model file, where that is still there; else why not.
void find_pieces(study::ShownRun& run) {
  const auto model = parse_model_spec(run.record.model);
  if (!model || model->scheme != "gguf") {
    run.pieces_note = "texts of tokens are known of GGUF models alone";
    return;
  }
  auto file = backend::llama::open_tokenizer(model->name);
  if (!file) {
    run.pieces_note = "the model file could not be read: " + file.error().text;
    return;
  }
  const auto kept = std::make_shared<backend::llama::TokenizerFile>(std::move(*file));
  run.pieces = [kept](core::Token token) { return backend::llama::piece_of(*kept, token); };
}

/// Where a run is. Of one of tare's that has not ended the error says how to go on.
Result<store::RunFiles> files_of(const fs::path& named) {
  auto files = store::find_run(named);
  if (!files && (store::holds_journal(named) || store::holds_ledger(named)))
    TARE_CHECK(check_holds_results(named));
  return files;
}

Result<study::ShownRun> shown_run(const store::RunFiles& files) {
  study::ShownRun run;
  run.folder = files.folder.string();
  TARE_TRY(store::FinishedRun finished, store::read_run(files));
  run.record = std::move(finished.record);
  if (run.record.tasks.empty())
    return base::input_error(fmt::format("{}: has results of no task; wanted those of one or more",
                                         files.results.string()));
  run.documents = std::move(finished.documents);
  run.samples_kept = std::ranges::any_of(run.record.tasks, [&](const core::TaskRecord& task) {
    return store::has_samples(files, task.task.name);
  });
  // A file of results under a name of its own has none of tare's files beside it.
  if (files.results == store::own_files(files.folder).results) {
    TARE_TRY(run.facts, store::read_facts(files.folder));
  }
  run.facts.build = finished.writer;
  if (files.time.empty())
    find_pieces(run);
  else
    run.pieces_note = "samples of lm-eval hold no tokens";
  return run;
}

/// Runs whose samples have not been read yet.
struct Opened {
  std::vector<store::RunFiles> files;
  std::vector<study::ShownRun> runs;
};

Result<Opened> open_runs(const std::vector<fs::path>& folders) {
  Opened opened;
  for (const fs::path& folder : folders) {
    TARE_TRY(store::RunFiles files, files_of(folder));
    TARE_TRY(study::ShownRun run, shown_run(files));
    opened.files.push_back(std::move(files));
    opened.runs.push_back(std::move(run));
  }
  return opened;
}

std::vector<fs::path> files_read(const Opened& opened) {
  std::vector<fs::path> all;
  for (std::size_t i = 0; i < opened.files.size(); ++i) {
    all.push_back(opened.files[i].results);
    for (const core::TaskRecord& task : opened.runs[i].record.tasks)
      all.push_back(opened.files[i].samples(task.task.name));
  }
  return all;
}

Result<report::DataPage> page_of(const Opened& opened, bool token_logprobs) {
  const std::vector<store::RunFiles>& files = opened.files;
  std::vector<TokenScores> models;
  for (const store::RunFiles& one : files) {
    if (!token_logprobs) break;
    TARE_TRY(TokenScores model, TokenScores::open(one));
    models.push_back(std::move(model));
  }
  study::RunPage page(opened.runs, std::string(version()));
  for (const std::string& task : page.tasks()) {
    study::ItemsByRun items(files.size());
    for (std::size_t i = 0; i < files.size(); ++i) {
      if (!store::has_samples(files[i], task)) continue;
      TARE_TRY(items[i], store::read_items(files[i], task));
      if (!models.empty()) TARE_CHECK(models[i].add_to(*items[i]));
    }
    page.add(task, items);
  }
  return page.finish();
}

/// What a symbolic link stands for, so that the file behind it is looked at and written.
fs::path behind_link(const fs::path& file) {
  std::error_code fault;
  if (!fs::is_symlink(file, fault)) return file;
  fs::path behind = fs::weakly_canonical(file, fault);
  return fault || behind.empty() ? file : behind;
}

/// Error: no page can be written there, or one would take the place of what is read.
Status check_place(const fs::path& file, const Opened& opened) {
  std::error_code unknown;
  if (file.empty())
    return base::usage_error("--output '': wanted the name of a file, e.g. report.html");
  if (fs::is_directory(file, unknown))
    return base::input_error(fmt::format("--output {}: is a folder; wanted a file, e.g. {}",
                                         file.string(), (file / "report.html").string()));
  const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
  if (!fs::is_directory(folder, unknown))
    return base::input_error(fmt::format("--output {}: there is no folder {}; make it first",
                                         file.string(), folder.string()));
  TARE_CHECK(check_output_file(file, files_read(opened)));
  const auto writable = OutputFolder::check_writable(folder);
  if (!writable) return base::in_context("--output " + file.string(), writable.error());
  return {};
}

/// A name that is free again, whatever becomes of the file.
class Draft {
 public:
  explicit Draft(const fs::path& target) : path_(base::draft_name(target)) {}
  ~Draft() {
    std::error_code gone;
    fs::remove(path_, gone);
  }
  Draft(const Draft&) = delete;
  Draft& operator=(const Draft&) = delete;
  [[nodiscard]] const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

Status write_page(const report::DataPage& page, const fs::path& file) {
  const InterruptGuard interrupt;
  const Draft draft(file);
  std::ofstream out(draft.path(), std::ios::binary | std::ios::trunc);
  report::write(page, out);
  out.close();
  if (!out)
    return base::work_failed(fmt::format("{}: cannot be written: {}", file.string(),
                                         std::generic_category().message(errno)));
  if (interrupt.token().stop_requested())
    return base::fail(base::ErrorKind::interrupted,
                      fmt::format("{}: stopped before it was written", file.string()));
  return base::publish_draft(draft.path(), file);
}

}  // namespace

Status write_report(const ReportOptions& options) {
  const fs::path file = behind_link(options.output);
  TARE_TRY(const Opened opened, open_runs(options.runs));
  TARE_CHECK(check_place(file, opened));
  TARE_TRY(const report::DataPage page, page_of(opened, options.token_logprobs));
  return write_page(page, file);
}

}  // namespace tare::cli
