#include "store/run_state.h"

#include "store/execution.h"
#include "store/fields.h"
#include "store/journal.h"

namespace tare::store {
namespace field = fields::run_state;
using base::Dict;
using base::List;

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

base::Value run_state_document(const RunState& state, const std::vector<std::string>& next) {
  Dict failures;
  for (const auto& [reason, count] : state.failures) failures.set(reason, count);
  Dict document;
  document.set(fields::kSchemaVersion, fields::kRunStateVersion);
  document.set(field::kFolder, state.folder.string());
  document.set(field::kEnded, state.ended);
  document.set(field::kAnswers, state.answers);
  document.set(field::kAsked, state.asked);
  document.set(field::kShard, state.shard);
  document.set(field::kShards, state.shards);
  document.set(field::kFailures, std::move(failures));
  document.set(field::kNext, List(next.begin(), next.end()));
  document.set(field::kStartedIn, state.started_in);
  return document;
}

}  // namespace tare::store
