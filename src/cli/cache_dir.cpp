#include "cli/cache_dir.h"

#include <cstdlib>

namespace tare::cli {
namespace {

std::filesystem::path variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

}  // namespace

std::filesystem::path cache_dir() {
  if (const auto own = variable("TARE_CACHE_DIR"); !own.empty()) return own;
  if (const auto xdg = variable("XDG_CACHE_HOME"); !xdg.empty()) return xdg / "tare";
  const auto home = variable("HOME");
  return home.empty() ? home : home / ".cache" / "tare";
}

}  // namespace tare::cli
