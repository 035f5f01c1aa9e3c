#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/shell.h"

/// The words behind `tare run`, changed and shown.
namespace tare::cli {

/// Without an option that takes a value, by its long and short names ("--output", "-o"), and
/// without its values. Long flags come back as dash_flags() writes them.
std::vector<std::string> without_option(std::vector<std::string> words,
                                        std::span<const std::string_view> names);

using base::shell_line;

/// The words of the run that goes on in `folder` with what `words` began, wherever that wrote to.
std::vector<std::string> resuming_words(std::vector<std::string> words,
                                        const std::filesystem::path& folder);

}  // namespace tare::cli
