#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

namespace tare::cli {

/// Energy of the machine's processors, whoever uses them, by the counters that Linux shows of each
/// package (RAPL). Many machines have none, or show them to root alone.
class EnergyMeter {
 public:
  /// Begins to measure. `folder`: where the counters are.
  explicit EnergyMeter(const std::filesystem::path& folder = "/sys/class/powercap");
  /// A counter starts again at zero after some 250 kJ: to be called more often than that takes.
  void sample();
  /// Since the beginning; none where there is no counter, or one could not be read any more.
  [[nodiscard]] std::optional<double> joules() const;

 private:
  struct Counter {
    std::filesystem::path file;
    std::uint64_t range = 0;  ///< the value after which it starts again
    std::uint64_t last = 0;
  };
  std::vector<Counter> counters_;
  std::uint64_t microjoules_ = 0;
  bool readable_ = true;
};

}  // namespace tare::cli
