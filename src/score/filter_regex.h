#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/value.h"
#include "text/regex.h"

namespace tare::score {

/// Which of a pattern's matches is the answer.
struct Extraction {
  text::Regex regex;
  std::int64_t group_select =
      0;  ///< of the matches, in spite of the name; from the end if negative
  base::Value fallback;
};

/// Reads regex_pattern, group_select and fallback.
base::Result<Extraction> read_extraction(const base::Value& arguments);
base::Status check_extraction(const base::Value& arguments);

/// What findall gives for one match: the whole match, its one group, or all groups.
struct Found {
  std::vector<std::string> texts;
  bool several = false;
  /// The first that is not empty.
  [[nodiscard]] const std::string* first_text() const;
};

/// The chosen match; nothing if there is no match at all. Error: matches, but not the chosen one.
base::Result<std::optional<Found>> chosen_match(const text::Regex& regex, std::int64_t group_select,
                                                std::string_view text);

}  // namespace tare::score
