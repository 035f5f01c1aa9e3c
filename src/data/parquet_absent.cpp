#include <fmt/format.h>

#include "data/dataset.h"
#include "data/parquet.h"
#include "data/parquet_write.h"

namespace tare::data {
namespace {

base::Failure not_built_in(std::string_view name, std::string_view what) {
  return base::input_error(fmt::format(
      "{}: this build of tare reads no {}; configure it with -DTARE_PARQUET=ON (needs python3 with "
      "pip and a package index)",
      name, what));
}

}  // namespace

bool parquet_available() {
  return false;
}

std::string parquet_version() {
  return "";
}

base::Result<Batch> read_parquet_table(std::string_view, std::string_view name) {
  return not_built_in(name, "Parquet");
}

base::Result<std::string> parquet_of(std::span<const Column>) {
  return base::input_error(
      "this build of tare writes no Parquet; configure it with -DTARE_PARQUET=ON (needs python3 "
      "with pip and a package index)");
}

base::Result<std::string> decompress(std::string_view, Compression, std::string_view name) {
  return not_built_in(name, "compressed files");
}

}  // namespace tare::data
