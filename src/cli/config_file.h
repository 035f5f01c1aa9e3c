#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"

namespace CLI {
class App;
}

namespace tare::cli {

/// The words that a --config file (YAML: option name to value, dashes or underscores) stands for,
/// without those options that `app` has just parsed from the command line, which win. Errors: a
/// file that cannot be read or is no mapping, a key that is no option of `app`.
base::Result<std::vector<std::string>> config_words(const std::filesystem::path& file,
                                                    const CLI::App& app);

}  // namespace tare::cli
