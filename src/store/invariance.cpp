#include "store/invariance.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "store/fields.h"

namespace tare::store {
namespace {

namespace field = fields::invariance;
using base::Dict;
using base::List;
using base::Result;
using base::Value;
using core::InvarianceAttempt;
using core::InvarianceTrial;
using core::InvarianceVerdict;

struct VerdictName {
  InvarianceVerdict verdict;
  std::string_view name;
};

constexpr std::array kVerdicts{
    VerdictName{InvarianceVerdict::held, "held"},
    VerdictName{InvarianceVerdict::broken, "broken"},
    VerdictName{InvarianceVerdict::not_measured, "not_measured"},
    VerdictName{InvarianceVerdict::not_promised, "not_promised"},
    VerdictName{InvarianceVerdict::by_construction, "by_construction"},
};

Value trial_value(const InvarianceTrial& trial) {
  Dict dict;
  dict.set(field::kTrial, trial.name);
  dict.set(field::kComparisons, trial.comparisons);
  dict.set(field::kDiffering, trial.differing);
  return dict;
}

Value attempt_value(const InvarianceAttempt& attempt) {
  List trials;
  for (const InvarianceTrial& trial : attempt.trials) trials.push_back(trial_value(trial));
  Dict dict;
  dict.set(field::kShapeClass, attempt.shape_class);
  dict.set(field::kTrials, std::move(trials));
  return dict;
}

base::Failure missing(const char* key) {
  return base::input_error(fmt::format("{} is missing or of another kind", key));
}

Result<std::string> text_in(const Value& dict, const char* key) {
  const Value* found = dict.find(key);
  if (found == nullptr || !found->is_string()) return missing(key);
  return found->as_string();
}

Result<std::size_t> count_in(const Value& dict, const char* key) {
  const Value* found = dict.find(key);
  if (found == nullptr || !found->is_int() || found->as_int() < 0) return missing(key);
  return static_cast<std::size_t>(found->as_int());
}

Result<List> list_in(const Value& dict, const char* key) {
  const Value* found = dict.find(key);
  if (found == nullptr || !found->is_list()) return missing(key);
  return found->items();
}

Result<InvarianceTrial> read_trial(const Value& value) {
  InvarianceTrial trial;
  TARE_TRY(trial.name, text_in(value, field::kTrial));
  TARE_TRY(trial.comparisons, count_in(value, field::kComparisons));
  TARE_TRY(trial.differing, count_in(value, field::kDiffering));
  return trial;
}

Result<InvarianceAttempt> read_attempt(const Value& value) {
  InvarianceAttempt attempt;
  TARE_TRY(attempt.shape_class, text_in(value, field::kShapeClass));
  TARE_TRY(const List trials, list_in(value, field::kTrials));
  for (const Value& trial : trials) {
    TARE_TRY(InvarianceTrial read, read_trial(trial));
    attempt.trials.push_back(std::move(read));
  }
  return attempt;
}

}  // namespace

Value invariance_value(const core::Invariance& invariance) {
  List attempts;
  for (const InvarianceAttempt& attempt : invariance.attempts)
    attempts.push_back(attempt_value(attempt));
  Dict dict;
  const auto* verdict = std::ranges::find(kVerdicts, invariance.verdict, &VerdictName::verdict);
  dict.set(field::kVerdict, verdict->name);
  dict.set(field::kAttempts, std::move(attempts));
  return dict;
}

Result<core::Invariance> read_invariance(const Value& value) {
  if (!value.is_dict()) return base::input_error("invariance is no object");
  TARE_TRY(const std::string name, text_in(value, field::kVerdict));
  const auto* verdict = std::ranges::find(kVerdicts, name, &VerdictName::name);
  if (verdict == kVerdicts.end()) return missing(field::kVerdict);
  core::Invariance invariance{verdict->verdict, {}};
  TARE_TRY(const List attempts, list_in(value, field::kAttempts));
  for (const Value& attempt : attempts) {
    TARE_TRY(InvarianceAttempt read, read_attempt(attempt));
    invariance.attempts.push_back(std::move(read));
  }
  return invariance;
}

}  // namespace tare::store
