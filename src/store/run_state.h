#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/value.h"
#include "store/find_run.h"

namespace tare::store {

/// What a folder holds of a run that has no results: one that was stopped, or a shard.
struct RunState {
  std::filesystem::path folder;
  std::size_t answers = 0, asked = 0;  ///< that are there; that the run asks for
  std::size_t shard = 1, shards = 1;   ///< which part it is, of how many
  bool ended = false;                  ///< what has no answer then has failed
  std::map<std::string, std::size_t>
      failures;                      ///< requests by reason, of when they were asked last
  std::vector<std::string> command;  ///< the words behind `tare run`
  std::string started_in;            ///< the folder from which relative paths start
};

/// Reads the folder's journal. Error: there is none, or a run is at work in it.
base::Result<RunState> read_run_state(const std::filesystem::path& folder);

/// What a finished run could not find out.
struct Unanswered {
  std::size_t documents = 0;                    ///< without metrics
  std::map<std::string, std::size_t> failures;  ///< requests without an answer, by reason
  // Of the journal; empty where it is not there.
  std::vector<std::string> command;  ///< the words behind `tare run`
  std::string started_in;            ///< the folder from which relative paths start
};

/// Error: no finished run.
base::Result<Unanswered> read_unanswered(const RunFiles& files);

/// The document of `tare show --json` of a run that lacks answers: results.json with them beside it
/// (docs/formats/show.md). `next`: as in run_state_document().
base::Value with_unanswered(const base::Value& results, const Unanswered& unanswered,
                            const std::vector<std::string>& next);

/// The document of `tare show --json` (docs/formats/show.md). `next`: the words of the command that
/// goes on.
base::Value run_state_document(const RunState& state, const std::vector<std::string>& next);

}  // namespace tare::store
