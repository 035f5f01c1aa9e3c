#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "data/type.h"

/// What Arrow C++ does for this room. Built from parquet_arrow.cpp, or, without Arrow, from
/// parquet_absent.cpp, which answers each call with how to get it.
namespace tare::data {

/// The rows of a Parquet file as pyarrow's to_pylist gives them. What Python has and Value has not
/// becomes the text that str() would print: dates, times, decimals, timestamps with a zone or finer
/// than microseconds. Columns of bytes and other types without such a text are left out, so that a
/// task that does not use them runs, and one that does is told that the name is undefined.
/// `name` begins each error.
base::Result<Batch> read_parquet_table(std::string_view bytes, std::string_view name);

enum class Compression { gzip, zstd };

base::Result<std::string> decompress(std::string_view bytes, Compression compression,
                                     std::string_view name);

}  // namespace tare::data
