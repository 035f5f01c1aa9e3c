#pragma once

#include <array>
#include <cstddef>
#include <filesystem>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "core/request.h"
#include "plan/plan.h"
#include "store/journal_header.h"

namespace tare::cli {

inline constexpr std::array<std::string_view, 1> kShardOption{"--shard"};

/// The folder of a run with --shard, read.
struct ShardFolder {
  std::filesystem::path path;
  store::JournalHeader header;
  std::vector<core::Answered> answers;
  std::vector<core::Failed> failures;
  bool ended = false;  ///< what has no answer then has failed
};

/// All shards of one run, by their numbers. Errors, each one line: a folder that is none of a
/// shard or of a whole run, shards of different runs, settings or numbers of parts, one that is
/// named twice or not at all, one that a run is at work in.
base::Result<std::vector<ShardFolder>> open_shards(
    const std::vector<std::filesystem::path>& folders);

/// Error: a shard that was stopped before its end, with how much is missing. `plan` is the whole
/// one.
base::Status check_complete(const std::vector<ShardFolder>& shards, const plan::Plan& plan);

}  // namespace tare::cli
