#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <utility>

namespace tare::cli {

/// Writes to standard error; where that shows colours, "tare: warning:" stands out. That it is
/// closed or full is no reason to end what is being done.
void tell_text(std::string_view text);

/// The text in red, where standard error shows colours.
std::string red(std::string_view text);

template <class... Args>
void tell(fmt::format_string<Args...> format, Args&&... args) {
  tell_text(fmt::format(format, std::forward<Args>(args)...));
}

}  // namespace tare::cli
