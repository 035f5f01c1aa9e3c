#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace tare::cli {

/// Writes to standard error. Foreign text in it reaches a terminal without control characters;
/// where that shows colours, "tare: warning:" stands out. That it is closed or full is no reason to
/// end what is being done.
void tell_text(std::string_view text);

/// The line of an error. Line ends in it that no indented line follows are part of a foreign name
/// and are shown as "\n".
void tell_error(std::string_view text);

/// Over the line of the terminal in which the cursor is; blanks fill it up to `width`.
void tell_over(std::string_view text, std::size_t width);

/// Foreign text as a part of a line: without line ends and control characters.
std::string in_one_line(std::string_view text);

/// An argument of tell(): text in one line, other values as they are.
template <class T>
decltype(auto) told(const T& value) {
  if constexpr (std::is_convertible_v<const T&, std::string_view>)
    return in_one_line(value);
  else
    return (value);
}

/// A line of which the arguments are parts.
template <class... Args>
void tell(fmt::format_string<Args...> format, Args&&... args) {
  tell_text(fmt::vformat(format, fmt::make_format_args(told(args)...)));
}

}  // namespace tare::cli
