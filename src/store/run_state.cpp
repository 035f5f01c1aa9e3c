#include "store/run_state.h"

#include <utility>

#include "store/execution.h"
#include "store/fields.h"
#include "store/journal.h"
#include "store/read_facts.h"

namespace tare::store {
namespace field = fields::run_state;
using base::Dict;
using base::List;

namespace {

base::Value failures_value(const std::map<std::string, std::size_t>& failures) {
  Dict value;
  for (const auto& [reason, count] : failures) value.set(reason, count);
  return value;
}

}  // namespace

base::Result<RunState> read_run_state(const std::filesystem::path& folder) {
  TARE_TRY(Journal journal, Journal::open_existing(folder));
  TARE_TRY(const auto answers, journal.answers());
  TARE_TRY(const auto failures, journal.failures());
  const JournalHeader& header = journal.header();
  RunState state{.folder = folder,
                 .answers = answers.size(),
                 .asked = header.asked,
                 .shard = header.shard,
                 .shards = header.shards,
                 .ended = holds_execution(folder),
                 .failures = {},
                 .command = header.command,
                 .started_in = header.folder};
  for (const core::Failed& failed : failures) ++state.failures[failed.failure.reason];
  return state;
}

base::Result<Unanswered> read_unanswered(const RunFiles& files) {
  TARE_TRY(RunFacts facts, read_facts(files));
  Unanswered unanswered{facts.failed_documents, std::move(facts.failures), {}, {}};
  if (unanswered.failures.empty() || !files.own()) return unanswered;
  // The results say it all but for the command.
  if (const auto journal = Journal::open_started(files.folder); journal && *journal) {
    unanswered.command = (*journal)->header().command;
    unanswered.started_in = (*journal)->header().folder;
  }
  return unanswered;
}

base::Value with_unanswered(const base::Value& results, const Unanswered& unanswered,
                            const std::vector<std::string>& next) {
  Dict value;
  value.set(field::kDocuments, unanswered.documents);
  value.set(field::kFailures, failures_value(unanswered.failures));
  value.set(field::kNext, List(next.begin(), next.end()));
  value.set(field::kStartedIn, unanswered.started_in);
  Dict document = results.as_dict();
  document.set(field::kUnanswered, std::move(value));
  return document;
}

base::Value run_state_document(const RunState& state, const std::vector<std::string>& next) {
  Dict document;
  document.set(fields::kSchemaVersion, fields::kRunStateVersion);
  document.set(field::kFolder, state.folder.string());
  document.set(field::kEnded, state.ended);
  document.set(field::kAnswers, state.answers);
  document.set(field::kAsked, state.asked);
  document.set(field::kShard, state.shard);
  document.set(field::kShards, state.shards);
  document.set(field::kFailures, failures_value(state.failures));
  document.set(field::kNext, List(next.begin(), next.end()));
  document.set(field::kStartedIn, state.started_in);
  return document;
}

}  // namespace tare::store
