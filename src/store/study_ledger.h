#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "base/result.h"

namespace tare::store {

/// What is known of a cell of a study beside its run folder.
struct LedgerEntry {
  std::vector<std::string> words;  ///< what `tare run` was told
  std::string failure;             ///< why it has no results; "" if it has, or was stopped
  bool failed_items = false;       ///< it has results, but not for all items
};

/// By the name of the cell.
using Ledger = std::map<std::string, LedgerEntry>;

/// The study's ledger (docs/formats/study.md); empty where there is none yet. Error: a file that is
/// none.
base::Result<Ledger> read_ledger(const std::filesystem::path& folder);
/// True if the folder is that of a study.
bool holds_ledger(const std::filesystem::path& folder);
base::Status write_ledger(const Ledger& ledger, const std::filesystem::path& folder);

}  // namespace tare::store
