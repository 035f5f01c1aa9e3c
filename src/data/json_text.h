#pragma once

#include <string_view>

#include "base/result.h"
#include "base/value.h"

namespace tare::data {

/// JSON values that follow each other in a text.
struct JsonRows {
  base::List rows;
  bool one_a_line = true;  ///< each stands alone on a line and no line is blank
};

/// Parses `part`, a piece of the file `text` that begins at a line's start. Errors give the line in
/// the file.
base::Result<JsonRows> parse_json_rows(std::string_view text, std::string_view part);

}  // namespace tare::data
