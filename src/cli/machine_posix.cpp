#include <sys/resource.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <fstream>
#include <string>
#include <thread>

#include "cli/machine.h"

namespace tare::cli {
namespace {

base::Value cpu_name() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);) {
    const std::size_t colon = line.find(": ");
    if (line.starts_with("model name") && colon != std::string::npos) return line.substr(colon + 2);
  }
  return {};
}

std::size_t memory() {
  const long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGE_SIZE);
  return pages < 0 || size < 0 ? 0
                               : static_cast<std::size_t>(pages) * static_cast<std::size_t>(size);
}

}  // namespace

base::Value machine_value() {
  base::Dict dict;
  dict.set("cpu", cpu_name());
  dict.set("processors", static_cast<std::size_t>(std::thread::hardware_concurrency()));
  dict.set("memory_bytes", memory());
  utsname names{};
  if (uname(&names) == 0)
    dict.set("system", std::string(names.sysname) + " " + names.release + " " + names.machine);
  return dict;
}

std::size_t peak_memory() {
  rusage usage{};
  constexpr std::size_t kKibibyte = 1024;
  return getrusage(RUSAGE_SELF, &usage) == 0 ? static_cast<std::size_t>(usage.ru_maxrss) * kKibibyte
                                             : 0;
}

}  // namespace tare::cli
