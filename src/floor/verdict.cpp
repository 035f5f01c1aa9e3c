#include "floor/verdict.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace tare::floor {
namespace {

/// The higher of two floors, where both are known.
std::optional<Floor> higher(const Evidence& evidence) {
  if (!evidence.floor_a || !evidence.floor_b) return std::nullopt;
  return std::max(*evidence.floor_a, *evidence.floor_b,
                  [](const Floor& a, const Floor& b) { return a.divergence < b.divergence; });
}

Condition divergence_condition(const Evidence& evidence) {
  const auto floor = higher(evidence);
  if (!floor) return {std::nullopt, "a: the floor of a file is not known"};
  const bool above = evidence.divergence > floor->divergence;
  return {above,
          fmt::format("a: KL(A‖B) {:.2e} nats {} the floor {:.2e} ({})", evidence.divergence,
                      above ? "is above" : "is not above", floor->divergence, floor->setting)};
}

Condition test_condition(const std::optional<AnswerDifference>& answers) {
  if (!answers) return {std::nullopt, "b: no items were asked"};
  const bool significant = answers->p_value < answers->alpha;
  return {significant,
          fmt::format("b: the least p of the paired tests after Holm, {:.4f}, {} {}",
                      answers->p_value, significant ? "is below" : "is not below", answers->alpha)};
}

Condition accuracy_condition(const std::optional<AnswerDifference>& answers) {
  if (!answers) return {std::nullopt, "c: no items were asked"};
  if (!answers->floor_change) return {std::nullopt, "c: no setting was tried on items"};
  const bool above = answers->accuracy_change > *answers->floor_change;
  return {above, fmt::format("c: |Δ accuracy| {:.4f} {} the greatest that a setting makes, {:.4f}",
                             answers->accuracy_change, above ? "is above" : "is not above",
                             *answers->floor_change)};
}

bool is(const Condition& condition, bool value) {
  return condition.holds && *condition.holds == value;
}

/// The words behind the letters of the conditions that decide, each once.
std::string reasons(const std::vector<Condition>& conditions, std::optional<bool> wanted) {
  std::vector<std::string> texts;
  for (const Condition& condition : conditions) {
    const std::string text = condition.text.substr(3);
    if (condition.holds == wanted && std::ranges::find(texts, text) == texts.end())
      texts.push_back(text);
  }
  return fmt::format("{}", fmt::join(texts, "; "));
}

Verdict same(std::string sentence) {
  return {Judgement::identical, std::move(sentence), {}};
}

}  // namespace

std::string_view judgement_name(Judgement judgement) {
  switch (judgement) {
    case Judgement::identical:
      return "identical";
    case Judgement::within_noise:
      return "within_noise";
    case Judgement::distinguishable:
      return "distinguishable";
    case Judgement::undecided:
      break;
  }
  return "undecided";
}

Verdict judge(const Evidence& evidence) {
  if (evidence.same_bytes) return same("identical: both files are the same bytes");
  if (evidence.same_rows)
    return same("identical: the files differ, but all rows of logits are the same bits");
  Verdict verdict;
  verdict.conditions = {divergence_condition(evidence), test_condition(evidence.answers),
                        accuracy_condition(evidence.answers)};
  const auto& all = verdict.conditions;
  if (std::ranges::any_of(all, [](const Condition& one) { return is(one, false); })) {
    verdict.judgement = Judgement::within_noise;
    verdict.sentence = "within execution noise: " + reasons(all, false);
  } else if (std::ranges::all_of(all, [](const Condition& one) { return is(one, true); })) {
    verdict.judgement = Judgement::distinguishable;
    verdict.sentence = "distinguishable: " + reasons(all, true);
  } else if (is(all.front(), true)) {
    verdict.sentence = fmt::format("the logits are distinguishable: {}; of the answers: {}",
                                   all.front().text.substr(3), reasons(all, std::nullopt));
  } else {
    verdict.sentence = "undecided: " + reasons(all, std::nullopt);
  }
  return verdict;
}

}  // namespace tare::floor
