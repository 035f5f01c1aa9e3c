#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/value.h"

/// What `tare ls` knows, as rows.
namespace tare::cli {

struct Listing {
  std::vector<std::string> columns;  ///< of a row; also the JSON keys
  std::vector<base::List> rows;      ///< texts, or lists of texts
  std::vector<std::string> warnings;
};

/// `what`: tasks (all names that --tasks takes), subtasks, groups, tags, models, backends, tiers.
/// Errors: another word, a folder that cannot be read.
base::Result<Listing> list(const std::string& what,
                           const std::vector<std::filesystem::path>& include_paths);

/// tasks, subtasks, groups, ...
std::vector<std::string> listing_kinds();

}  // namespace tare::cli
