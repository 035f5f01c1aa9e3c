#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "base/value.h"

namespace tare::store {

/// What a run asks and of what: answers of two runs with equal headers can stand for each other.
struct JournalHeader {
  base::Value settings;         ///< a dict: all that can change an answer (docs/formats/journal.md)
  std::size_t requests = 0;     ///< positions that the plan has
  std::string requests_sha256;  ///< plan::digest of them
  std::size_t shard = 1;        ///< which part of the plan is asked, from 1
  std::size_t shards = 1;       ///< parts that the plan is cut into

  // Not compared.
  std::size_t asked = 0;  ///< of the positions, those that are asked: of this part, not too long
  // How to build the same plan again.
  std::vector<std::string> command;  ///< arguments of the program
  std::string folder;                ///< in which it was started
};

/// A setting that two headers do not have in common, in words for a user.
struct Difference {
  std::string what;         ///< "--limit", "backend cpu_tier", "task arc_easy, file arc.yaml"
  std::string there, here;  ///< values, shortened where they are long
};

/// In the order of the settings. That the requests differ is only said where nothing else explains
/// it.
std::vector<Difference> differences(const JournalHeader& there, const JournalHeader& here);

/// "--limit is 5 there and 10 here; --seed is ..." with the first few, and how many more there are.
std::string text_of(std::span<const Difference> differences);

}  // namespace tare::store
