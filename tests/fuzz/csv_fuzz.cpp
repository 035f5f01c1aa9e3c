#include <cstdint>
#include <string_view>

#include "data/csv_table.h"
#include "rows_fit.h"

/// The first byte chooses the options, the rest is the file. Every row is what the schema says.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  tare::data::CsvOptions options;
  if ((data[0] & 1) != 0) options.separator = '\t';
  if ((data[0] & 2) != 0) options.quote.reset();
  if ((data[0] & 4) != 0) options.header.reset();
  if ((data[0] & 8) != 0) options.na_words = false;
  if ((data[0] & 16) != 0) options.skip_lines = 2;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  if (const auto batches = tare::data::read_csv_table(text, "fuzz.csv", options))
    tare::data::demand_fit(*batches);
  return 0;
}
