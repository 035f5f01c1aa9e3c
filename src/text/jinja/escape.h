#pragma once

#include <string>
#include <string_view>

namespace tare::text::jinja {

/// markupsafe.escape: & < > ' " as entities.
std::string escape_html(std::string_view text);

}  // namespace tare::text::jinja
