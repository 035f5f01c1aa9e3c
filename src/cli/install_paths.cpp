#include "cli/install_paths.h"

namespace tare::cli {
namespace fs = std::filesystem;

fs::path program() {
  std::error_code fault;
  const fs::path path = fs::read_symlink("/proc/self/exe", fault);
  return fault ? fs::path("tare") : path;
}

fs::path builtin_tasks() {
  const fs::path installed = program().parent_path().parent_path() / "share/tare/tasks";
  std::error_code fault;
  return fs::is_directory(installed, fault) ? installed : fs::path(TARE_SOURCE_TASKS);
}

std::vector<fs::path> task_roots(const std::vector<fs::path>& include_paths) {
  std::vector<fs::path> roots{builtin_tasks()};
  roots.insert(roots.end(), include_paths.begin(), include_paths.end());
  return roots;
}

}  // namespace tare::cli
