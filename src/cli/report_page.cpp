#include "cli/report_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <system_error>

#include "backend/llama/tokenizer_file.h"
#include "base/files.h"
#include "cli/build_info.h"
#include "cli/model_spec.h"
#include "cli/run_folder.h"
#include "cli/token_scores.h"
#include "store/find_run.h"
#include "store/read_facts.h"
#include "store/read_items.h"
#include "store/read_run.h"
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
  if (!files && fs::is_directory(named)) TARE_CHECK(check_holds_results(named));
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
  if (files.time.empty()) {
    TARE_TRY(run.facts, store::read_facts(files.folder));
    run.facts.build = finished.writer;
    find_pieces(run);
  } else {
    run.facts.build = finished.writer;
    run.pieces_note = "samples of lm-eval hold no tokens";
  }
  return run;
}

Result<report::DataPage> page_of(const ReportOptions& options) {
  std::vector<store::RunFiles> files;
  std::vector<study::ShownRun> runs;
  for (const fs::path& folder : options.runs) {
    TARE_TRY(store::RunFiles one, files_of(folder));
    TARE_TRY(study::ShownRun run, shown_run(one));
    files.push_back(std::move(one));
    runs.push_back(std::move(run));
  }
  std::vector<TokenScores> models;
  for (const store::RunFiles& one : files) {
    if (!options.token_logprobs) break;
    TARE_TRY(TokenScores model, TokenScores::open(one));
    models.push_back(std::move(model));
  }
  study::RunPage page(runs, std::string(version()));
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

}  // namespace

Status check_report_place(const fs::path& file) {
  std::error_code unknown;
  if (fs::is_directory(file, unknown))
    return base::input_error(fmt::format("--output {}: is a folder; wanted a file, e.g. {}",
                                         file.string(), (file / "report.html").string()));
  const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
  if (fs::is_directory(folder, unknown)) return {};
  return base::input_error(fmt::format("--output {}: there is no folder {}; make it first",
                                       file.string(), folder.string()));
}

Status write_report(const ReportOptions& options) {
  const fs::path& file = options.output;
  TARE_TRY(const report::DataPage page, page_of(options));
  const fs::path draft = base::draft_name(file);
  std::ofstream out(draft, std::ios::binary | std::ios::trunc);
  report::write(page, out);
  out.close();
  if (out) return base::publish_draft(draft, file);
  const std::string why = std::generic_category().message(errno);
  std::error_code ignored;
  fs::remove(draft, ignored);
  return base::work_failed(fmt::format("{}: cannot be written: {}", file.string(), why));
}

}  // namespace tare::cli
