#pragma once

#include <string>
#include <vector>

#include "base/value.h"

namespace tare::report {

/// A markdown table, padded for reading, as the writer that lm-eval uses (pytablewriter 1.2) lays
/// it out: numbers, and texts that are decimal numbers, are written anew with the digits that their
/// column needs and stand on the right, but a text below mostly words stays a text; NaN and
/// infinity are spelled out; wide East Asian letters take two places. Every row has a cell for each
/// header. Ends with a newline.
std::string markdown_table(const std::vector<std::string>& headers,
                           const std::vector<base::List>& rows);

}  // namespace tare::report
