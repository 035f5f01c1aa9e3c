#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "text/regex.h"

namespace tare::text::regex {

/// A pattern of Python's `re` in the language of PCRE2 (options: UTF, newline LF), with nothing in
/// it that depends on PCRE2's own ideas of white space, words or line ends.
struct Translated {
  std::string pattern;
  std::size_t groups = 0;
  std::vector<std::pair<std::string, std::size_t>> names;  ///< of groups, and their numbers
};

/// Follows the grammar of CPython 3.11, Lib/re/_parser.py, and refuses what that refuses.
base::Result<Translated> translate(std::string_view pattern, RegexFlags flags);

}  // namespace tare::text::regex
