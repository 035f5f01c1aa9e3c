#pragma once

#include <string>
#include <string_view>

#include "text/jinja/object.h"

namespace tare::text::jinja {

/// time.year and the like; missing when there is no such attribute.
Value datetime_attribute(const DateTime& time, std::string_view name);

/// strftime() in the C locale, with Python's %f.
std::string format_time(base::DateTime time, std::string_view format);

}  // namespace tare::text::jinja
