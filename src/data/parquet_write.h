#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "base/result.h"

namespace tare::data {

/// Values of one column; of reals NaN stands for no value.
struct Column {
  std::string name;
  std::variant<std::vector<std::string>, std::vector<std::int64_t>, std::vector<double>> values;
};

/// The bytes of a Parquet file with these columns, which have equal lengths. Error: this build has
/// no Arrow (parquet_available()), or Arrow refuses.
base::Result<std::string> parquet_of(std::span<const Column> columns);

}  // namespace tare::data
