#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "data/data_files.h"
#include "data/dataset.h"

namespace tare::data {

/// Whether a path begins with a scheme ("https://").
bool is_url(std::string_view path);

/// "hf://datasets/ORG/NAME[@REVISION]/PATTERN" in its parts.
struct HubUrl {
  std::string name;
  std::string revision = "main";
  std::string pattern;
};

/// Nothing for other URLs. A revision may be escaped (%2F) or begin with "refs/".
std::optional<HubUrl> read_hub_url(std::string_view url);

/// Replaces each pattern on a hub by that pattern under the root that has the repository, else by
/// the URLs of the files that match, at a commit; URLs with http and https stay. Other schemes are
/// refused, as are all where there is no remote. `subject` begins each error.
base::Status expand_urls(std::vector<SplitPatterns>& splits, const Sources& sources,
                         const std::string& subject);

}  // namespace tare::data
