#include "report/invariance.h"

#include <fmt/format.h>

namespace tare::report {
namespace {

using core::InvarianceAttempt;
using core::InvarianceVerdict;

constexpr const char* kMeaning =
    "the same question may get another log-likelihood in another batch, order or resume, or with "
    "another number of threads";

std::string counted(const InvarianceAttempt& attempt) {
  const std::size_t all = core::comparisons(attempt), unequal = core::differing(attempt);
  if (unequal > 0) return fmt::format("{} of {} comparisons differ", unequal, all);
  return fmt::format("{} comparisons, all bitwise equal", all);
}

/// "tile 16, narrowed from tile 8"
std::string classes(const core::Invariance& invariance) {
  std::string text = invariance.attempts.back().shape_class;
  if (invariance.attempts.size() > 1)
    text += ", narrowed from " + invariance.attempts.front().shape_class;
  return text;
}

core::Warning narrowed(const core::Invariance& invariance) {
  const InvarianceAttempt& first = invariance.attempts.front();
  return {
      .code = "invariance-narrowed",
      .text = fmt::format(
          "with {} {}, so that results would depend on what is computed beside them; {} is used "
          "instead, where all are equal, and takes longer",
          first.shape_class, counted(first), invariance.attempts.back().shape_class)};
}

core::Warning broken(const core::Invariance& invariance) {
  const InvarianceAttempt& last = invariance.attempts.back();
  return {.code = "invariance-broken",
          .text = fmt::format("even with {} {}: {}; another --cpu-tier may do better (tare doctor "
                              "MODEL compares them)",
                              last.shape_class, counted(last), kMeaning)};
}

}  // namespace

std::string invariance_line(const core::Invariance& invariance, const std::string& cpu_tier) {
  if (invariance.verdict == InvarianceVerdict::not_measured) return "invariance: not measured";
  if (invariance.attempts.empty()) return "";
  const std::string tier = cpu_tier.empty() ? "" : ", tier " + cpu_tier;
  return fmt::format("invariance: {} ({}{})", counted(invariance.attempts.back()),
                     classes(invariance), tier);
}

std::vector<core::Warning> invariance_warnings(const core::Invariance& invariance) {
  if (invariance.verdict == InvarianceVerdict::not_promised)
    return {{.code = "invariance-off", .text = fmt::format("--mode fast: {}", kMeaning)}};
  if (invariance.verdict == InvarianceVerdict::broken) return {broken(invariance)};
  if (invariance.attempts.size() > 1) return {narrowed(invariance)};
  return {};
}

}  // namespace tare::report
