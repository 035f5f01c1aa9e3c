#pragma once

#include <string>
#include <string_view>

namespace tare::report {

/// A whole HTML document that needs nothing from outside, and may load nothing. `body` is HTML,
/// `style` CSS of its own.
std::string html_page(std::string_view title, std::string_view body, std::string_view style = "");

}  // namespace tare::report
