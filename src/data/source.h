#pragma once

#include <optional>
#include <string>
#include <vector>

#include "data/data_files.h"
#include "data/dataset.h"
#include "data/options.h"
#include "data/type.h"

namespace tare::data {

/// Where a data set's rows are and how they are read: decided before any of them is.
struct Source {
  std::string subject;  ///< what errors begin with: "cais/mmlu (astronomy)"
  Format format = Format::json;
  Options options;
  std::vector<SplitFiles> splits;  ///< in the order of their declaration
  std::optional<Type> features;    ///< the column types that the README declares
  std::string revision = {};       ///< of a repository on a hub
};

/// Finds the source of what a task names: a builder's data_files, a folder, or org/name under one
/// of the roots, or on a hub. Files of the latter are URLs that Sources::remote fetches.
base::Result<Source> find_source(const DatasetSpec& spec, const Sources& sources);

}  // namespace tare::data
