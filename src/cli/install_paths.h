#pragma once

#include <filesystem>

namespace tare::cli {

/// The path of this program.
std::filesystem::path program();

/// The folder of the tasks that come with tare: beside the program when installed, else in the
/// source tree that it was built from.
std::filesystem::path builtin_tasks();

}  // namespace tare::cli
