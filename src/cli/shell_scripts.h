#pragma once

#include <span>
#include <string_view>

namespace tare::cli {

/// What makes a shell complete the words of tare; the files of src/cli/shell.
struct ShellScript {
  std::string_view shell;
  std::string_view text;
};

std::span<const ShellScript> shell_scripts();

}  // namespace tare::cli
