#pragma once

#include <cstddef>

namespace tare::cli {

/// Columns that standard output has: COLUMNS, else the terminal's; 0 where it is no terminal and
/// lines may have any length.
std::size_t screen_width();

}  // namespace tare::cli
