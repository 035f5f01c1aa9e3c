#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "data/type.h"

namespace tare::data {

/// The parameters of pandas' read_csv that tare knows, with pandas' defaults.
struct CsvOptions {
  char separator = ',';
  std::optional<char> quote = '"';        ///< nothing: quotes are ordinary (quoting=3)
  std::optional<std::size_t> header = 0;  ///< the record that names the columns; nothing: none
  std::optional<std::vector<std::string>> names;  ///< replace those of the header
  std::size_t skip_lines = 0;
  bool na_words = true;           ///< keep_default_na: "", "NA", "null", ... are None
  bool na_filter = true;          ///< false: nothing is None
  bool first_batch_only = false;  ///< the types of the first rows are all that is wanted
};

/// The rows of a CSV file as `load_dataset("csv")` gives them: every 10,000 rows each column
/// becomes int64, double, bool or string by what stands in it; an integer column with missing
/// values becomes double. A row longer than the header is an error (pandas would shift the
/// columns). A column with integers beyond 64 bits is read as text. `name` begins each error:
/// "NAME: line 3: ...".
base::Result<std::vector<Batch>> read_csv_table(std::string_view text, std::string_view name,
                                                const CsvOptions& options);

/// How many rows `datasets` types together.
inline constexpr std::size_t kCsvBatchRows = 10'000;

}  // namespace tare::data
