#pragma once

#include <cstddef>
#include <string>

#include "compare/measure.h"

/// Numbers as a comparison writes them.
namespace tare::compare {

/// Means of values between 0 and 1 are shown as shares.
bool is_share(const Measured& measured);
/// Of so few verdicts no difference is found, however large.
bool never_detectable(const Measured& measured);

/// A score: four places, or four digits of what is no share.
std::string score_text(const Measured& measured, double value);
/// A difference of scores, with its sign.
std::string change_text(const Measured& measured, double value);
/// The same as a size in words: "2.3 points" of shares, else the bare number.
std::string amount_text(const Measured& measured, double value);
/// "0.004", "< 0.0001".
std::string p_text(double p);
/// "95 %", "99.9 %".
std::string percent_text(double level);
/// "1 test", "6 tests".
std::string tests_text(std::size_t count);
/// "1 document", "60 documents".
std::string documents_text(std::size_t count);
/// "acc", or "exact_match,strict-match" with a filter.
std::string metric_text(const Measured& measured);

}  // namespace tare::compare
