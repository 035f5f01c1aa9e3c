#pragma once

#include <filesystem>
#include <vector>

namespace tare::cli {

/// The path of this program.
std::filesystem::path program();

/// The folder of the tasks that come with tare: beside the program when installed, else in the
/// source tree that it was built from.
std::filesystem::path builtin_tasks();

/// Where tasks are looked for: the built-in ones, then `include_paths`, which override them.
std::vector<std::filesystem::path> task_roots(
    const std::vector<std::filesystem::path>& include_paths);

}  // namespace tare::cli
