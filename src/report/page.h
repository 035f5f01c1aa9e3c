#pragma once

#include <string>
#include <string_view>

namespace tare::report {

/// A whole HTML document that needs nothing from outside. `body` is HTML.
std::string html_page(std::string_view title, std::string_view body);

}  // namespace tare::report
