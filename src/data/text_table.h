#pragma once

#include <string_view>
#include <vector>

#include "base/result.h"
#include "data/type.h"

namespace tare::data {

struct TextOptions {
  enum class SampleBy { line, paragraph, document };
  SampleBy sample_by = SampleBy::line;
  bool keep_line_breaks = false;
};

/// The rows of a text file as `load_dataset("text")` gives them: one column "text". CR LF and CR
/// count as LF; a byte order mark stays. `name` begins each error.
base::Result<std::vector<Batch>> read_text_table(std::string_view text, std::string_view name,
                                                 const TextOptions& options);

}  // namespace tare::data
