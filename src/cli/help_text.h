#pragma once

#include <string>
#include <string_view>

#include "cli/option_table.h"

namespace tare::cli {

/// What --help prints of a command, in lines of at most `width` letters (a word that is longer
/// stands alone). Ends with a newline.
std::string help_text(const CommandPage& page, std::size_t width);

/// "tare show [OPTIONS] run"
std::string usage_line(const CommandPage& page);

/// "-o, --output DIR"
std::string option_heading(const OptionRow& row);

}  // namespace tare::cli
