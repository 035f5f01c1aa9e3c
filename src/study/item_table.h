#pragma once

#include <string>
#include <vector>

#include "data/parquet_write.h"
#include "study/findings.h"

namespace tare::study {

/// One row for each cell, item and metric, for R or pandas (docs/formats/study.md).
std::vector<data::Column> item_columns(const Findings& findings);

/// The same as lines of JSON.
std::string item_lines(const std::vector<data::Column>& columns);

}  // namespace tare::study
