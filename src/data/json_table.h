#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "data/type.h"

namespace tare::data {

struct JsonOptions {
  std::optional<std::string> field;  ///< the file is one object; the rows stand under this name
  bool first_batch_only = false;     ///< the types of the first rows are all that is wanted
};

/// The rows of a JSON file as `load_dataset("json")` of datasets 5.2 gives them. The text may be
/// one object a line, objects that follow each other, one list of objects (or of values, which then
/// stand in a column "text"), or an object with a field. `known` is the schema that earlier files
/// of the data set gave, or null. `name` begins each error: "NAME: line 3, column 7: ...".
base::Result<std::vector<Batch>> read_json_table(std::string_view text, std::string_view name,
                                                 const JsonOptions& options, const Type* known);

/// How many bytes of lines `datasets` types together.
inline constexpr std::size_t kJsonBatchBytes = 10 << 20;

}  // namespace tare::data
