#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tare::text::jinja {

struct WrapRules {
  std::size_t width = 79;  ///< code points, at least 1
  bool break_long_words = true;
  bool break_on_hyphens = true;
};

/// The lines that Python's textwrap.wrap makes of one paragraph, without expanding tabs or
/// replacing white space.
std::vector<std::string> wrap_paragraph(std::string_view text, const WrapRules& rules);

}  // namespace tare::text::jinja
