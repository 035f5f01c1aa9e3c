#include "cli/shards.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "cli/command_words.h"
#include "cli/parse.h"
#include "cli/run_folder.h"
#include "plan/shard.h"
#include "store/execution.h"
#include "store/journal.h"

namespace tare::cli {
namespace {

namespace fs = std::filesystem;
using base::input_error;
using base::Result;

std::string name_of(const ShardFolder& shard) {
  return fmt::format("{} (shard {}/{})", shard.path.string(), shard.header.shard,
                     shard.header.shards);
}

Result<ShardFolder> open_shard(const fs::path& folder) {
  TARE_CHECK(check_holds_run(folder));
  TARE_TRY(store::Journal journal, store::Journal::open_existing(folder));
  ShardFolder shard{folder, journal.header(), {}, {}, store::holds_execution(folder)};
  TARE_TRY(shard.answers, journal.answers());
  TARE_TRY(shard.failures, journal.failures());
  return shard;
}

/// Error: of a whole run. --shard 1/1 makes a shard that holds all.
base::Status check_is_shard(const ShardFolder& folder) {
  std::vector<std::string> words = folder.header.command;
  dash_flags(words);
  if (folder.header.shards > 1 || without_option(words, kShardOption) != words) return {};
  return input_error(fmt::format(
      "{0}: is of a whole run, which needs no merging: tare show {0}; wanted folders of tare run "
      "--shard I/N",
      folder.path.string()));
}

base::Status check_same_cut(const ShardFolder& first, const ShardFolder& other) {
  if (first.header.shards == other.header.shards) return {};
  return input_error(
      fmt::format("{} and {} are cut into different numbers of parts; wanted the "
                  "shards of one run",
                  name_of(first), name_of(other)));
}

/// Shards of one run differ in their numbers alone.
base::Status check_same_run(const ShardFolder& first, const ShardFolder& other) {
  store::JournalHeader as_first = other.header;
  as_first.shard = first.header.shard;
  const auto different = store::differences(first.header, as_first);
  if (different.empty()) return {};
  const store::Difference& one = different.front();
  return input_error(fmt::format(
      "{}: other settings than in {}: {} is {} there and {} here; wanted the shards of one run",
      other.path.string(), first.path.string(), one.what, one.there, one.here));
}

base::Status check_each_once(const std::vector<ShardFolder>& sorted) {
  const auto twice = std::ranges::adjacent_find(
      sorted, {}, [](const ShardFolder& shard) { return shard.header.shard; });
  if (twice != sorted.end())
    return input_error(fmt::format("{} and {} are the same shard; wanted each once",
                                   name_of(*twice), name_of(*std::next(twice))));
  std::vector<std::string> missing;
  auto next = sorted.begin();
  for (std::size_t n = 1; n <= sorted.front().header.shards; ++n) {
    if (next != sorted.end() && next->header.shard == n) {
      ++next;
    } else {
      missing.push_back(fmt::format("{}/{}", n, sorted.front().header.shards));
    }
  }
  if (missing.empty()) return {};
  return input_error(fmt::format(
      "no folder of shard {}; name it too, or make it: the command of the others with --shard {}",
      fmt::join(missing, ", "), missing.front()));
}

}  // namespace

Result<std::vector<ShardFolder>> open_shards(const std::vector<fs::path>& folders) {
  std::vector<ShardFolder> shards;
  for (const fs::path& folder : folders) {
    TARE_TRY(ShardFolder shard, open_shard(folder));
    TARE_CHECK(check_is_shard(shard));
    shards.push_back(std::move(shard));
    TARE_CHECK(check_same_cut(shards.front(), shards.back()));
    TARE_CHECK(check_same_run(shards.front(), shards.back()));
  }
  std::ranges::stable_sort(shards, {}, [](const ShardFolder& shard) { return shard.header.shard; });
  TARE_CHECK(check_each_once(shards));
  return shards;
}

base::Status check_complete(const std::vector<ShardFolder>& shards, const plan::Plan& plan) {
  const auto asked = plan::shard_positions(plan, shards.size());
  for (std::size_t n = 0; n < shards.size(); ++n) {
    std::vector<bool> answered(plan.requests.size());
    for (const core::Answered& one : shards[n].answers) answered[one.position] = true;
    const auto missing =
        std::ranges::count_if(asked[n], [&](std::size_t position) { return !answered[position]; });
    if (missing == 0 || shards[n].ended) continue;
    return input_error(fmt::format(
        "{}: {} of {} answers are missing; finish it: its command again, with --output {}",
        name_of(shards[n]), missing, asked[n].size(), shards[n].path.string()));
  }
  return {};
}

}  // namespace tare::cli
