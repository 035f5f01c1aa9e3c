#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/value.h"

namespace tare::data {

/// One entry under `configs:` in the front matter of a data set's README.
struct CardConfig {
  std::string name;
  bool is_default = false;
  base::Value parameters;  ///< the whole entry: data_files, data_dir, sep, ...
};

struct Card {
  std::vector<CardConfig> configs;
  base::Value dataset_info;  ///< a dict, a list of dicts, or none
};

/// The front matter of a README.md; an empty card where there is no such file.
base::Result<Card> read_card(const std::filesystem::path& file);

/// The list of features that the card gives for a configuration, or none.
base::Value features_of(const Card& card, const std::string& config);

}  // namespace tare::data
