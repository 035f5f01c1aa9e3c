#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.h"
#include "text/regex/translate.h"

namespace tare::text::regex {

/// A template of re.sub: text and numbers of groups.
using Replacement = std::vector<std::variant<std::string, std::size_t>>;

/// Follows CPython 3.11, Lib/re/_parser.py parse_template.
base::Result<Replacement> parse_replacement(std::string_view text, const Translated& pattern);

}  // namespace tare::text::regex
