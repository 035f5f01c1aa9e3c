#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <string>
#include <utility>

namespace tare::cli {

/// Writes to standard error. That it is closed or full is no reason to end what is being done.
template <class... Args>
void tell(fmt::format_string<Args...> format, Args&&... args) {
  const std::string text = fmt::format(format, std::forward<Args>(args)...);
  std::fwrite(text.data(), 1, text.size(), stderr);
}

}  // namespace tare::cli
