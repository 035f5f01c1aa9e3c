#pragma once

#include <functional>
#include <string>

#include "hub/settings.h"

namespace tare::cli {

/// The value of an environment variable, "" if it is not set.
using Variables = std::function<std::string(const char*)>;

/// How the environment says that a hub is reached, with the variables and defaults of
/// huggingface_hub and datasets. Plain URLs are kept under the folder `own_cache`.
hub::Settings hub_settings(const Variables& variable, const std::filesystem::path& own_cache);

/// The same out of this process's environment. `offline` adds to what it says; notes go to stderr
/// unless `quiet`.
hub::Settings hub_settings(bool offline, bool quiet);

}  // namespace tare::cli
