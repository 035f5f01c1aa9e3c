#pragma once

#include <string>

#include "cli/option_table.h"

namespace tare::cli {

/// The manual page of a command in roff, with the man macros.
std::string man_page(const CommandPage& page);

/// The manual page of the program, which lists the commands.
std::string man_page_of_program();

}  // namespace tare::cli
