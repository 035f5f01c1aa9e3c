#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <string_view>

#include "backend/llama/machine.h"

namespace tare::backend::llama {

std::string machine_description() {
  constexpr std::array<std::string_view, 5> kFields{"model name", "microcode", "flags", "Features",
                                                    "CPU part"};
  utsname names{};
  std::string text = uname(&names) == 0 ? std::string(names.release) + names.machine : "";
  std::ifstream first_cpu("/proc/cpuinfo");
  for (std::string line; std::getline(first_cpu, line) && !line.empty();)
    if (std::ranges::any_of(kFields, [&](std::string_view f) { return line.starts_with(f); }))
      text += line + "\n";
  return text;
}

std::size_t memory_bytes() {
  const long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGE_SIZE);
  return pages > 0 && size > 0 ? static_cast<std::size_t>(pages) * static_cast<std::size_t>(size)
                               : 0;
}

}  // namespace tare::backend::llama
