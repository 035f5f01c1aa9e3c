#include "cli/energy_meter.h"

#include <algorithm>
#include <fstream>
#include <string>
#include <system_error>

namespace tare::cli {
namespace {

namespace fs = std::filesystem;

std::optional<std::uint64_t> number_in(const fs::path& file) {
  std::ifstream stream(file);
  std::uint64_t number = 0;
  if (!(stream >> number)) return std::nullopt;
  return number;
}

/// A package, not a part of one, which would be counted twice.
bool is_package(const fs::path& folder) {
  const std::string name = folder.filename().string();
  if (!name.starts_with("intel-rapl:") || std::ranges::count(name, ':') != 1) return false;
  std::ifstream stream(folder / "name");
  std::string kind;
  return stream >> kind && kind.starts_with("package");
}

}  // namespace

EnergyMeter::EnergyMeter(const fs::path& folder) {
  std::error_code none;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, none)) {
    if (!is_package(entry.path())) continue;
    const fs::path file = entry.path() / "energy_uj";
    const auto now = number_in(file);
    const auto range = number_in(entry.path() / "max_energy_range_uj");
    if (now && range)
      counters_.push_back({file, *range, *now});
    else
      readable_ = false;  // the other packages are not the machine
  }
}

void EnergyMeter::sample() {
  for (Counter& counter : counters_) {
    const auto now = number_in(counter.file);
    if (!now) {
      readable_ = false;
      return;
    }
    microjoules_ +=
        *now >= counter.last ? *now - counter.last : counter.range - counter.last + *now;
    counter.last = *now;
  }
}

std::optional<double> EnergyMeter::joules() const {
  if (counters_.empty() || !readable_) return std::nullopt;
  constexpr double kMicro = 1e-6;
  return kMicro * static_cast<double>(microjoules_);
}

}  // namespace tare::cli
