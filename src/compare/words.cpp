#include "compare/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "compare/comparison.h"

namespace tare::compare {
namespace {

/// Never "-0.0000".
std::string without_negative_zero(std::string text) {
  if (text.find_first_not_of("+-0.") == std::string::npos && text.starts_with('-')) text[0] = '+';
  return text;
}

/// "3.1 points worse to 0.8 better", by the ends of the interval.
std::string reach(const Measured& measured, const stats::Interval& interval) {
  const double sign = measured.higher_is_better ? 1 : -1;
  const double ends[] = {std::min(sign * interval.low, sign * interval.high),
                         std::max(sign * interval.low, sign * interval.high)};
  const auto word = [](double end) { return end < 0 ? "worse" : "better"; };
  return fmt::format("{} {} to {} {}", amount_text(measured, std::abs(ends[0])), word(ends[0]),
                     amount_text(measured, std::abs(ends[1])), word(ends[1]));
}

std::string missed(const Measured& measured) {
  if (never_detectable(measured))
    return fmt::format(" In {} not even a difference of 100 points would be found.",
                       documents_text(measured.items));
  if (!measured.detectable) return "";
  return fmt::format(" A difference below {} would be missed more often than one time in five.",
                     amount_text(measured, *measured.detectable));
}

/// " Right to wrong: 46, wrong to right: 27."
std::string flips(const Measured& measured) {
  if (!measured.verdicts) return "";
  std::string text = fmt::format(" Right to wrong: {}, wrong to right: {}",
                                 measured.verdicts->only_first, measured.verdicts->only_second);
  if (measured.other_wrong > 0)
    text += fmt::format(", wrong to other wrong: {}", measured.other_wrong);
  return text + ".";
}

}  // namespace

bool never_detectable(const Measured& measured) {
  return measured.verdicts && !measured.detectable;
}

bool is_share(const Measured& measured) {
  const auto inside = [](double value) { return value >= 0 && value <= 1; };
  return measured.kind == Kind::verdicts ||
         (measured.kind == Kind::values && inside(measured.first.value) &&
          inside(measured.second.value));
}

std::string score_text(const Measured& measured, double value) {
  return is_share(measured) ? fmt::format("{:.4f}", value) : fmt::format("{:.5g}", value);
}

std::string change_text(const Measured& measured, double value) {
  return without_negative_zero(is_share(measured) ? fmt::format("{:+.4f}", value)
                                                  : fmt::format("{:+.4g}", value));
}

std::string amount_text(const Measured& measured, double value) {
  if (!is_share(measured)) return fmt::format("{:.4g}", value);
  constexpr double kPoints = 100;
  const std::string number = fmt::format("{:.{}f}", kPoints * value, value < 0.01 ? 2 : 1);
  return number + " points";
}

std::string p_text(double p) {
  if (p < 0.0001) return "< 0.0001";
  return p < 0.001 ? fmt::format("{:.4f}", p) : fmt::format("{:.3f}", p);
}

std::string percent_text(double level) {
  return fmt::format("{:.6g} %", 100 * level);
}

std::string tests_text(std::size_t count) {
  return fmt::format("{} test{}", count, count == 1 ? "" : "s");
}

std::string documents_text(std::size_t count) {
  return fmt::format("{} document{}", count, count == 1 ? "" : "s");
}

std::string metric_text(const Measured& measured) {
  return measured.filter == "none" ? measured.metric
                                   : fmt::format("{},{}", measured.metric, measured.filter);
}

std::string sentence_of(const Measured& measured, const Comparison& comparison,
                        const Versus& versus) {
  const std::string &first = comparison.sides[0].letter,
                    &second = comparison.sides[versus.second].letter;
  const std::string head = fmt::format("{} {}: ", measured.task, metric_text(measured));
  if (!measured.not_compared.empty()) return head + "not compared: " + measured.not_compared + ".";
  if (measured.worse.empty() && measured.improved.empty())
    return head + fmt::format("{} and {} score the same on each of {}.{}", first, second,
                              documents_text(measured.items), missed(measured));
  if (!measured.interval || !measured.adjusted)
    return head + fmt::format("{} is too little to tell.", documents_text(measured.items));
  const std::string p = p_text(*measured.adjusted);
  const std::string chance = fmt::format(
      "p {}{} after Holm over {}", p.starts_with('<') ? "" : "= ", p, tests_text(comparison.tests));
  if (measured.significant(1 - comparison.level))
    return head + fmt::format(
                      "{} is {} than {} by {} ({} interval: {}): more than chance explains "
                      "({}).{}",
                      second, measured.better() ? "better" : "worse", first,
                      amount_text(measured, std::abs(measured.difference())),
                      percent_text(comparison.level), reach(measured, *measured.interval), chance,
                      flips(measured));
  return head + fmt::format("no difference that {} can tell from chance ({}): {} may be {}.{}{}",
                            documents_text(measured.items), chance, second,
                            reach(measured, *measured.interval), flips(measured), missed(measured));
}

}  // namespace tare::compare
