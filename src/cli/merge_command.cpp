#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <optional>
#include <system_error>

#include "cli/command.h"
#include "cli/command_words.h"
#include "cli/http_backends.h"
#include "cli/known_backends.h"
#include "cli/option_table.h"
#include "cli/output_folder.h"
#include "cli/parse.h"
#include "cli/recorded_backend.h"
#include "cli/run_journal.h"
#include "cli/run_options.h"
#include "cli/run_session.h"
#include "cli/shards.h"
#include "cli/tell.h"
#include "run/execute.h"
#include "store/journal.h"

namespace tare::cli {
namespace {

namespace fs = std::filesystem;
using base::Result;

struct MergeOptions {
  std::vector<fs::path> shards;
  fs::path output;
  std::string scheme;  ///< of the model, where it is named with one
  fs::path model;      ///< where the model file is now; "" for where it was
  bool json = false, quiet = false;
};

/// The folder that relative paths start from, for as long as it lives.
class WorkingFolder {
 public:
  explicit WorkingFolder(const fs::path& folder) : before_(fs::current_path()) {
    std::error_code absent;
    fs::current_path(folder, absent);
    if (absent)
      tell(
          "tare: note: {}, in which the shards were run, is not there; relative paths start here\n",
          folder.string());
  }
  ~WorkingFolder() {
    std::error_code ignored;
    fs::current_path(before_, ignored);
  }
  WorkingFolder(const WorkingFolder&) = delete;
  WorkingFolder& operator=(const WorkingFolder&) = delete;

 private:
  fs::path before_;
};

/// What the shards were told, but for what only concerns how this command shows its result.
tl::expected<RunOptions, ExitCode> recorded_options(const std::vector<std::string>& words,
                                                    const MergeOptions& merge) {
  CLI::App app("", "tare run");
  auto options = parse_run_options(app, words, ModelNeed::required);
  if (!options) return options;
  options->output = merge.output;
  options->json = merge.json;
  options->quiet = merge.quiet;
  options->write_out = options->show_config = false;
  return options;
}

/// Where the model file is now. Error: `options` name one of another kind, or there is none.
Result<fs::path> weights_now(const MergeOptions& options, const ModelSpec& recorded) {
  if (options.model.empty()) return fs::path(recorded.name);
  if (!options.scheme.empty() && options.scheme != recorded.scheme)
    return base::usage_error(
        fmt::format("--model: names a model of {}:, but the shards were run with {}; wanted where "
                    "that is now",
                    options.scheme, recorded.text));
  if (is_http_scheme(recorded.scheme) || recorded.text == "scripted:zero")
    return base::usage_error(
        fmt::format("--model: the shards were run with {}, which has no model file; leave it out",
                    recorded.text));
  return options.model;
}

/// The run that the shards are parts of, up to where it would ask the model.
base::Status set_up_again(Session& session, const store::JournalHeader& header,
                          const fs::path& weights) {
  ModelSpec here = session.options.model;
  here.name = weights.string();
  TARE_CHECK(open_chat(here, session.options.chat, session.options.build));
  const auto open = [&](const RunOptions& options) -> Result<OpenedBackend> {
    TARE_TRY(auto backend, recorded_backend(header, options, weights));
    return OpenedBackend{std::move(backend), {}};
  };
  TARE_CHECK(load_tasks(session));
  TARE_CHECK(open_and_plan(session, open));
  return probe(session);
}

/// Error: what is asked now is not what the shards answer.
Result<store::JournalHeader> header_again(const Session& session, store::JournalHeader recorded) {
  store::JournalHeader now =
      journal_header({session.options, session.tasks, session.groups}, session.plan,
                     *session.backend, session.record.invariance, session.command);
  recorded.shard = recorded.shards = 1;
  if (const auto different = store::differences(recorded, now); !different.empty())
    return base::input_error(
        fmt::format("the shards cannot be merged here: {}; wanted what they were run with",
                    store::text_of(different)));
  return now;
}

/// Puts all answers that are not there yet into the journal, and why others are missing.
base::Status unite(const std::vector<ShardFolder>& shards, store::Journal& journal) {
  std::vector<bool> there(journal.header().requests);
  TARE_TRY(const auto known, journal.answers());
  for (const core::Answered& one : known) there[one.position] = true;
  for (const ShardFolder& shard : shards) {
    std::vector<core::Answered> fresh;
    for (const core::Answered& one : shard.answers)
      if (!there[one.position]) fresh.push_back(one);
    TARE_CHECK(journal.append(fresh));
    if (!shard.failures.empty()) TARE_CHECK(journal.note(shard.failures));
  }
  return journal.seal();
}

Result<ExitCode> merge(const MergeOptions& options) {
  TARE_CHECK(check_free(options.output));
  TARE_TRY(const std::vector<ShardFolder> shards, open_shards(options.shards));
  const store::JournalHeader& header = shards.front().header;
  std::optional<WorkingFolder> then(header.folder);
  const auto words = without_option(header.command, kShardOption);  // those of the whole run
  const auto recorded = recorded_options(words, options);
  if (!recorded) return recorded.error();
  Session session(*recorded, words);
  TARE_TRY(const fs::path weights, weights_now(options, recorded->model));
  TARE_CHECK(set_up_again(session, header, weights));
  TARE_TRY(const store::JournalHeader whole, header_again(session, header));
  then.reset();
  TARE_CHECK(check_complete(shards, session.plan));

  TARE_TRY(OutputFolder folder, OutputFolder::claim(options.output));
  TARE_TRY(store::Journal journal, store::Journal::open(folder.path(), whole));
  folder.keep();
  say_plan(session);
  say_invariance(session);
  TARE_CHECK(unite(shards, journal));
  run::Answers answers;
  TARE_TRY(answers.known, journal.answers());
  TARE_TRY(answers.failed, journal.failures());
  session.execution.answers.journal = answers.known.size();
  TARE_TRY(run::Responses responses,
           run::execute(session.plan, session.tasks, *session.backend, answers, {}));
  return finish(session, folder.path(), std::move(responses));
}

}  // namespace

ExitCode merge_command(std::vector<std::string> args) {
  CLI::App app(
      "Unites the shards of a run (tare run --shard I/N) into the results of the whole run. No "
      "weights are loaded.",
      "tare merge");
  MergeOptions options;
  std::string model;
  app.add_option("shards", options.shards, "output folders of all shards")
      ->required()
      ->type_name(kFolder);
  app.add_option("--output,-o", options.output, "folder for the results")
      ->required()
      ->type_name(kFolder);
  app.add_option("--model,-m", model, "the model file, where it is not at its old place")
      ->type_name(kModel);
  app.add_flag("--json", options.json, "print the result document instead of the table");
  app.add_flag("--quiet,-q", options.quiet, "no table");
  if (const auto code = parse(app, std::move(args))) return *code;
  if (const std::string scheme = model.substr(0, model.find(':'));
      find_backend(scheme) != nullptr) {
    options.scheme = scheme;
    model.erase(0, std::min(scheme.size() + 1, model.size()));
  }
  if (!model.empty()) options.model = fs::absolute(model);
  const auto code = merge(options);
  return code ? *code : report(code.error());
}

}  // namespace tare::cli
