#include "cli/energy_meter.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <string>

#include "support/support.h"

namespace tare::cli {
namespace {

/// A folder like /sys/class/powercap.
class Counters {
 public:
  void add(const std::string& domain, const std::string& name, const std::string& microjoules) {
    std::filesystem::create_directories(folder_.path() / domain);
    folder_.write(domain + "/name", name + "\n");
    folder_.write(domain + "/max_energy_range_uj", "1000000\n");
    set(domain, microjoules);
  }
  void set(const std::string& domain, const std::string& microjoules) {
    folder_.write(domain + "/energy_uj", microjoules + "\n");
  }
  [[nodiscard]] std::filesystem::path folder() const { return folder_.path(); }

 private:
  test::TempDir folder_;
};

}  // namespace

TEST_CASE("the packages' counters are added, their parts are not") {
  Counters counters;
  counters.add("intel-rapl:0", "package-0", "100000");
  counters.add("intel-rapl:1", "package-1", "5");
  counters.add("intel-rapl:0:0", "core", "7");
  counters.add("intel-rapl:2", "psys", "7");
  EnergyMeter meter(counters.folder());
  CHECK(meter.joules() == 0.0);
  counters.set("intel-rapl:0", "350000");
  counters.set("intel-rapl:1", "500005");
  counters.set("intel-rapl:0:0", "900000");
  counters.set("intel-rapl:2", "900000");
  meter.sample();
  CHECK(*meter.joules() == doctest::Approx(0.75));
}

TEST_CASE("a counter that started again goes on") {
  Counters counters;
  counters.add("intel-rapl:0", "package-0", "900000");
  EnergyMeter meter(counters.folder());
  counters.set("intel-rapl:0", "50000");
  meter.sample();
  counters.set("intel-rapl:0", "60000");
  meter.sample();
  CHECK(*meter.joules() == doctest::Approx(0.16));
}

TEST_CASE("what cannot be read is unknown, not zero") {
  CHECK_FALSE(EnergyMeter("/no/such/folder").joules());
  Counters counters;
  CHECK_FALSE(EnergyMeter(counters.folder()).joules());
  counters.add("intel-rapl:0", "package-0", "1");
  counters.add("intel-rapl:1", "package-1", "denied");
  CHECK_FALSE(EnergyMeter(counters.folder()).joules());
  counters.set("intel-rapl:1", "1");
  EnergyMeter meter(counters.folder());
  counters.set("intel-rapl:0", "gone");
  meter.sample();
  CHECK_FALSE(meter.joules());
}

}  // namespace tare::cli
