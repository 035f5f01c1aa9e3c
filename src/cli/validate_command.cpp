#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <set>

#include "base/json.h"
#include "cli/command.h"
#include "cli/functions.h"
#include "cli/hub_settings.h"
#include "cli/parse.h"
#include "cli/prepare.h"
#include "cli/tell.h"
#include "cli/terminal.h"
#include "hub/hub.h"
#include "store/validation.h"
#include "task/findings.h"

namespace tare::cli {
namespace {

struct ValidateOptions : TaskOptions {
  bool json = false;
};

void add_faults(store::Validation& validation, const std::vector<task::Fault>& faults) {
  if (faults.empty()) return;
  validation.outcome = store::Outcome::faulty;
  validation.reason = faults.front().error.text;
  for (task::FaultKind& kind : task::fault_kinds(faults))
    validation.faults.push_back({std::move(kind.text), kind.count, std::move(kind.doc_ids)});
}

void add_warnings(store::Validation& validation, const std::vector<core::Warning>& warnings) {
  validation.warnings.insert(validation.warnings.end(), warnings.begin(), warnings.end());
}

/// The task is built whole: every document is read and every prompt rendered.
store::Validation validate(const task::TaskConfig& config, const TaskOptions& options,
                           core::Remote& remote) {
  store::Validation validation;
  validation.task = config.task;
  validation.warnings = task::warnings(config, options.build);
  if (auto supported = task::check_supported(config, options.build); !supported) {
    validation.outcome = store::Outcome::refused;
    validation.reason = supported.error().text;
    return validation;
  }
  std::vector<task::Fault> faults;
  auto built = build_task(config, options, remote, &faults);
  add_faults(validation, faults);
  if (built) {
    validation.built = std::move(*built);
    add_warnings(validation, validation.built.warnings);
    if (!validation.built.documents.empty())
      add_warnings(validation, task::findings(validation.built));
  } else {
    validation.outcome = store::Outcome::faulty;
    validation.reason = built.error().text;
  }
  return validation;
}

/// "; the same of 3 documents in all (doc_id 1, 4, 7)", if there is more than one.
std::string repeated(const store::DocumentFaults& kind) {
  if (kind.count < 2) return "";
  return fmt::format("; {} documents have this fault (doc_id {}{})", kind.count,
                     fmt::join(kind.doc_ids, ", "),
                     kind.count > kind.doc_ids.size() ? ", ..." : "");
}

void print_faults(const store::Validation& validation) {
  constexpr std::size_t kMostKinds = 10;
  const auto& kinds = validation.faults;
  const bool of_documents = !kinds.empty() && kinds[0].text == validation.reason;
  if (!of_documents) tell("tare: {}\n", validation.reason);
  for (std::size_t i = 0; i < std::min(kinds.size(), kMostKinds); ++i)
    tell("tare: {}{}\n", kinds[i].text, repeated(kinds[i]));
  if (kinds.size() > kMostKinds)
    tell("tare: task {}: and {} more kinds of faults (--json lists them)\n", validation.task,
         kinds.size() - kMostKinds);
}

void print(const store::Validation& validation, const ValidateOptions& options) {
  if (options.json) {
    print_text(base::json::dump(store::validation_line(validation)) + "\n");
    return;
  }
  for (const core::Warning& warning : validation.warnings)
    tell("tare: warning: {}\n", warning.text);
  if (!validation.reason.empty()) {
    print_faults(validation);
  } else if (!options.quiet) {
    print_text(fmt::format("{}: {} documents, {} requests\n", in_one_line(validation.task),
                           validation.built.documents.size(), validation.built.requests.size()));
  }
}

/// What has been validated so far.
struct Tally {
  /// File and name: tasks that two words lead to are built once.
  std::set<std::pair<std::filesystem::path, std::string>> seen;
  std::size_t good = 0, bad = 0;

  void count(const store::Validation& validation) {
    ++(validation.outcome == store::Outcome::ok ? good : bad);
  }
};

base::Result<task::Selection> select(const task::Index& index, const std::string& word) {
  TARE_TRY(task::Selection selection, index.select({word}));
  TARE_CHECK(plan_groups(selection.groups));
  return selection;
}

/// A word that names nothing, or a file that cannot be read, does not keep the others from being
/// looked at.
void validate_word(const task::Index& index, const std::string& word,
                   const ValidateOptions& options, core::Remote& remote, Tally& tally) {
  const auto selection = select(index, word);
  if (!selection) {
    const store::Validation fault{word, store::Outcome::faulty, selection.error().text, {}, {}, {}};
    tally.count(fault);
    print(fault, options);
    return;
  }
  for (const task::TaskConfig& config : selection->tasks) {
    if (!tally.seen.emplace(config.file, config.task).second) continue;
    const store::Validation validation = validate(config, options, remote);
    tally.count(validation);
    print(validation, options);
  }
}

base::Result<ExitCode> validate_all(ValidateOptions options) {
  TARE_CHECK(open_chat({}, options.chat, options.build));
  TARE_TRY(const worker::OpenFunctions functions, open_functions(options));
  TARE_TRY(const task::Index index, open_index(options));
  hub::Hub hub(hub_settings(options.offline, options.quiet));
  Tally tally;
  for (const std::string& word : options.tasks) validate_word(index, word, options, hub, tally);
  if (!options.json && !options.quiet)
    print_text(fmt::format("{} tasks are fine, {} are not\n", tally.good, tally.bad));
  return tally.bad == 0 ? kDone : kWrongInput;
}

}  // namespace

ExitCode validate_command(std::vector<std::string> args) {
  RawTaskOptions raw;
  ValidateOptions options;
  CLI::App app("Builds tasks whole: reads every document and renders every prompt.",
               "tare validate");
  declare_task_options(app, TasksAs::positional, raw, options);
  app.add_flag("--quiet,-q", options.quiet, "print faults only");
  app.add_flag("--json", options.json, "print one JSON object a task, with its documents' hashes");
  if (const auto code = parse(app, std::move(args))) return *code;
  if (const auto checked = check_task_options(raw, options); !checked)
    return report(checked.error());
  const auto code = validate_all(std::move(options));
  return code ? *code : report(code.error());
}

}  // namespace tare::cli
