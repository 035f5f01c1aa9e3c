#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>

#include "base/json.h"
#include "cli/command.h"
#include "cli/functions.h"
#include "cli/hub_settings.h"
#include "cli/parse.h"
#include "cli/prepare.h"
#include "hub/hub.h"
#include "store/validation.h"

namespace tare::cli {
namespace {

struct ValidateOptions : TaskOptions {
  bool json = false;
};

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
  auto built = build_task(config, options, remote);
  if (built) {
    validation.built = std::move(*built);
  } else {
    validation.outcome = store::Outcome::faulty;
    validation.reason = built.error().text;
  }
  return validation;
}

void print(const store::Validation& validation, const ValidateOptions& options) {
  if (options.json) {
    fmt::print("{}\n", base::json::dump(store::validation_line(validation)));
    return;
  }
  for (const core::Warning& warning : validation.warnings)
    fmt::print(stderr, "tare: warning: {}\n", warning.text);
  if (!validation.reason.empty()) {
    fmt::print(stderr, "tare: {}\n", validation.reason);
  } else if (!options.quiet) {
    fmt::print("{}: {} documents, {} requests\n", validation.task,
               validation.built.documents.size(), validation.built.requests.size());
  }
}

base::Result<ExitCode> validate_all(ValidateOptions options) {
  TARE_TRY(const worker::OpenFunctions functions, open_functions(options));
  TARE_TRY(const task::Selection selection, select_tasks(options));
  TARE_CHECK(plan_groups(selection.groups));
  hub::Hub hub(hub_settings(options.offline, options.quiet));
  std::size_t good = 0;
  for (const task::TaskConfig& config : selection.tasks) {
    const store::Validation validation = validate(config, options, hub);
    good += validation.outcome == store::Outcome::ok ? 1 : 0;
    print(validation, options);
  }
  const std::size_t faults = selection.tasks.size() - good;
  if (!options.json && !options.quiet) fmt::print("{} tasks are fine, {} are not\n", good, faults);
  return faults == 0 ? kDone : kWrongInput;
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
