#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/value.h"
#include "text/regex.h"

namespace tare::score {

/// lm-eval 0.4.13's exact_match of generated texts (api/metrics.py exact_match_hf_evaluate), with
/// what numpy's fixed-width texts do to it: NUL characters at the end do not count, and a text that
/// ignore_case makes longer is cut to its former length.
class ExactMatch {
 public:
  /// Reads regexes_to_ignore, ignore_case, ignore_punctuation and ignore_numbers from a dict.
  static base::Result<ExactMatch> compile(const base::Value& arguments);

  /// Whether both are equal once on both sides the expressions are removed, then case, ASCII
  /// punctuation and ASCII digits are ignored as asked.
  [[nodiscard]] base::Result<bool> equal(std::string_view prediction,
                                         std::string_view reference) const;

  /// The share of predictions equal to the reference, where a filter left a list; NaN for none.
  [[nodiscard]] base::Result<double> share(std::span<const std::string> predictions,
                                           std::string_view reference) const;

 private:
  /// `width`: the code points of the longest text beside it; a text alone is its own width.
  [[nodiscard]] base::Result<std::string> normalised(std::string_view text,
                                                     std::size_t width) const;

  std::vector<text::Regex> removed_;
  bool ignore_case_ = false, ignore_punctuation_ = false, ignore_numbers_ = false;
  /// With an empty list of expressions and nothing else lm-eval compares without numpy: every NUL
  /// counts, and a list never equals a text.
  bool plain_ = false;
};

}  // namespace tare::score
