#include <sys/utsname.h>

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

}  // namespace tare::backend::llama
