// Prints what tare's data room reads, for the comparison with pandas and pyarrow (data.py).
//
//   data_cat FILE                        the rows of one file
//   data_cat ROOT PATH CONFIG|- SPLIT    the rows of one split of a data set
//
// Each row is a line of JSON as Python's json.dumps(row, ensure_ascii=False, default=str) writes
// it. The last line on stderr is the time that reading took, in milliseconds.
#include <chrono>
#include <cstdio>

#include "base/json.h"
#include "data/dataset.h"

namespace tare::data {
namespace {

base::Result<core::Split> read(int argc, char** argv) {
  if (argc == 2) return read_table(argv[1]);
  const std::string name = argv[3];
  DatasetSpec spec{argv[2], name == "-" ? std::nullopt : std::optional(name), {}};
  TARE_TRY(core::Dataset dataset, open_dataset(spec, {{}, {argv[1]}}, {argv[4]}));
  return std::move(dataset.splits.at(argv[4]));
}

int run(int argc, char** argv) {
  if (argc != 2 && argc != 5) {
    std::fprintf(stderr, "usage: data_cat FILE | data_cat ROOT PATH CONFIG|- SPLIT\n");
    return 2;
  }
  const auto start = std::chrono::steady_clock::now();
  const auto split = read(argc, argv);
  const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
  if (!split) {
    std::fprintf(stderr, "%s\n", split.error().text.c_str());
    return 1;
  }
  for (const base::Value& row : split->rows) std::printf("%s\n", base::json::dump(row).c_str());
  std::fprintf(stderr, "%.2f\n", took.count());
  return 0;
}

}  // namespace
}  // namespace tare::data

int main(int argc, char** argv) {
  return tare::data::run(argc, argv);
}
