#include "cli/floor_items.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <map>

#include "base/files.h"
#include "base/json.h"
#include "cli/item_progress.h"
#include "cli/own_server.h"
#include "cli/study_worker.h"
#include "floor/report.h"
#include "store/read_answers.h"
#include "store/read_results.h"

namespace tare::cli {
namespace {

namespace fs = std::filesystem;
using base::Result;
using base::Status;
using Words = std::vector<std::string>;

/// Seconds in which a server has to have its model loaded.
constexpr int kServerPatience = 120;

/// A run of the items: a file in a row.
struct ItemRun {
  const PlannedFile& file;
  const ItemRow& row;
  fs::path folder;
};

/// Why a run has no results; "" if it has.
Result<std::string> do_run(Words words, const std::string& model, const fs::path& folder,
                           const std::stop_token& stop) {
  words.insert(words.end(),
               {"--model", model, "--output", folder.string(), "--cache", "off", "--quiet"});
  RunProcess process;
  TARE_TRY(const RunOutcome outcome, process.run(words, stop));
  if (outcome.code == kInterrupted)
    return base::fail(base::ErrorKind::interrupted, "the items were stopped");
  if (outcome.code == kDone || outcome.code == kDoneWithFailures) return std::string();
  return outcome.reason.empty() ? fmt::format("exit code {}", static_cast<int>(outcome.code))
                                : outcome.reason;
}

Result<std::string> run_here(const ItemRun& run, const ItemQuestions& questions,
                             const std::stop_token& stop) {
  Words words = questions.words;
  words.insert(words.end(), {"--manner", base::json::dump(floor::manner_value(run.row.manner))});
  return do_run(std::move(words), "gguf:" + run.file.path.string(), run.folder, stop);
}

/// True if an answer may depend on what is asked beside or before it.
bool depends_on_company(const ItemRow& row) {
  return row.manner.sequences > 1 || (row.server != nullptr && row.server->cache_prompt);
}

/// A run that stopped half way would go on in other company than a whole one has: it is begun anew.
void forget_half_a_run(const ItemRun& run) {
  std::error_code ignored;
  if (depends_on_company(run.row) && !store::read_results(run.folder))
    fs::remove_all(run.folder, ignored);
}

/// The port that a folder's servers have: a run that goes on has to find the model at its URL.
Result<std::uint16_t> port_of(const fs::path& folder) {
  const fs::path file = folder / "server.port";
  std::uint16_t port = 0;
  if (const auto text = base::read_file(file)) {
    std::from_chars(text->data(), text->data() + text->size(), port);
    if (port != 0) return port;
  }
  TARE_TRY(port, free_port());
  TARE_CHECK(base::write_file(file, std::to_string(port)));
  return port;
}

Result<std::string> run_served(const ItemRun& run, const ItemPlan& items,
                               const std::stop_token& stop) {
  const fs::path folder = run.folder.parent_path();
  TARE_CHECK(base::ensure_writable_folder(folder));
  TARE_TRY(const std::uint16_t port, port_of(folder));
  const floor::ServerRow& row = *run.row.server;
  const Served served{.file = run.file.path,
                      .manner = run.row.manner,
                      .context = run.file.loaded->context,
                      .slots = row.slots};
  TARE_TRY(const LlamaServer server,
           LlamaServer::start(items.server, served, port, folder / "llama-server"));
  const std::string model =
      fmt::format("llama-server:http://127.0.0.1:{},cache_prompt={},patience={}", port,
                  row.cache_prompt ? "yes" : "no", kServerPatience);
  TARE_TRY(std::string fault, do_run(items.questions.served_words, model, run.folder, stop));
  if (const std::string words = server.last_words(); !fault.empty() && !words.empty())
    fault += "; the server's last words: " + words;
  return fault;
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

bool contains(const std::vector<std::string>& words, std::string_view word) {
  return std::ranges::find(words, word) != words.end();
}

bool is_pinned(const ItemRow& row, const floor::Setting& reference,
               const std::vector<std::string>& pinned) {
  if (row.server != nullptr) return contains(pinned, floor::kServer);
  return floor::is_pinned(row.setting->setting, reference, pinned);
}

class ItemGrid {
 public:
  ItemGrid(const FloorPlan& plan, const ItemPlan& items, const FloorOptions& options,
           std::stop_token stop)
      : plan_(plan),
        items_(items),
        options_(options),
        stop_(std::move(stop)),
        progress_(plan, items, options.quiet) {}

  Result<floor::Answers> ask() {
    floor::Answers answers;
    for (std::size_t file = 0; file < plan_.files.size(); ++file) {
      TARE_TRY(floor::FileAnswers one, ask_file(file));
      answers.files.push_back(std::move(one));
    }
    for (std::size_t file = 1; file < plan_.files.size(); ++file)
      answers.pairs.push_back(pair(file));
    return answers;
  }

 private:
  [[nodiscard]] fs::path folder(std::size_t file, const std::string& row) const {
    return options_.output / "items" / fmt::format("{}-{}", file, row);
  }

  Result<floor::FileAnswers> ask_file(std::size_t file) {
    floor::FileAnswers answers{plan_.files[file].path.filename().string(), {}};
    std::map<std::string, std::string> faults;
    for (const ItemRow& row : items_.rows) {
      const std::string against = base_of(row);
      floor::SettingAnswers found;
      found.name = row.name;
      found.change = row.server != nullptr ? "llama-server: " + row.change : row.change;
      found.fewer_items = row.server != nullptr;
      if (row.server != nullptr) found.missing = items_.server.missing;
      if (!against.empty() && !faults[against].empty())
        found.fault = "its reference has failed: " + faults[against];
      if (found.missing.empty() && found.fault.empty()) {
        TARE_TRY(found.fault, run(file, row));
      }
      faults[row.name] = found.fault;
      if (against.empty()) continue;
      found.pinned = is_pinned(row, plan_.reference, options_.pinned);
      if (found.missing.empty() && found.fault.empty())
        compare(folder(file, against), folder(file, row.name), found);
      answers.settings.push_back(std::move(found));
    }
    references_.push_back(faults[items_.rows.front().name]);
    return answers;
  }

  /// The row that this one is held against; "" for the first of its kind.
  [[nodiscard]] std::string base_of(const ItemRow& row) const {
    if (row.server != nullptr) return row.server->against;
    return row.setting != nullptr ? items_.rows.front().name : "";
  }

  [[nodiscard]] floor::SettingAnswers pair(std::size_t file) const {
    floor::SettingAnswers found;
    found.name = "pair";
    found.change = "another file";
    found.fault = references_[0].empty() ? references_[file] : references_[0];
    const std::string& reference = items_.rows.front().name;
    if (found.fault.empty()) compare(folder(0, reference), folder(file, reference), found);
    return found;
  }

  static void compare(const fs::path& first, const fs::path& second, floor::SettingAnswers& found) {
    auto tasks = compare_runs(first, second);
    if (tasks)
      found.tasks = std::move(*tasks);
    else
      found.fault = tasks.error().text;
  }

  /// Why there are no answers; "" if there are. Error: the user stopped it.
  Result<std::string> run(std::size_t file, const ItemRow& row) {
    const ItemRun run{plan_.files[file], row, folder(file, row.name)};
    if (!run.file.fault.empty()) return run.file.fault;
    forget_half_a_run(run);
    progress_.begin(file, row, fs::exists(run.folder));
    auto fault = row.server != nullptr ? run_served(run, items_, stop_)
                                       : run_here(run, items_.questions, stop_);
    if (!fault && fault.error().kind == base::ErrorKind::interrupted) return fault;
    std::string text = fault ? *fault : fault.error().text;
    progress_.done(text);
    return text;
  }

  const FloorPlan& plan_;
  const ItemPlan& items_;
  const FloorOptions& options_;
  std::stop_token stop_;
  ItemProgress progress_;
  std::vector<std::string> references_;  ///< faults of the files' references
};

}  // namespace

Result<floor::Answers> ask_items(const FloorPlan& plan, const ItemPlan& items,
                                 const FloorOptions& options, const std::stop_token& stop) {
  return ItemGrid(plan, items, options, stop).ask();
}

}  // namespace tare::cli
