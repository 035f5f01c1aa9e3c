#include <sys/utsname.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <optional>
#include <string>
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

namespace {

std::optional<std::size_t> number_in(const std::string& path) {
  std::size_t value = 0;
  std::ifstream file(path);
  if (file >> value) return value;
  return std::nullopt;
}

/// "MemAvailable:   123 kB" in bytes.
std::optional<std::size_t> field_in(const std::string& path, std::string_view name) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);)
    if (line.starts_with(name)) return std::stoull(line.substr(name.size())) * 1024;
  return std::nullopt;
}

/// Page cache counts as used there, though it would be given up.
std::optional<std::size_t> left_in_group() {
  const std::string folder = "/sys/fs/cgroup/";
  const auto limit = number_in(folder + "memory.max"), used = number_in(folder + "memory.current");
  if (!limit || !used) return std::nullopt;
  std::size_t cached = 0;
  std::ifstream file(folder + "memory.stat");
  for (std::string name, value; file >> name >> value;)
    if (name == "inactive_file" || name == "active_file") cached += std::stoull(value);
  return *limit - std::min(*limit, *used - std::min(*used, cached));
}

}  // namespace

std::size_t available_memory() {
  const auto system = field_in("/proc/meminfo", "MemAvailable:"), group = left_in_group();
  if (system && group) return std::min(*system, *group);
  return system.value_or(group.value_or(0));
}

std::size_t resident_memory() {
  return field_in("/proc/self/status", "VmRSS:").value_or(0);
}

}  // namespace tare::backend::llama
