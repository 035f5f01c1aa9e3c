#include "floor/verdict.h"

#include <doctest/doctest.h>

namespace tare::floor {
namespace {

/// All three conditions hold.
Evidence different() {
  Evidence evidence;
  evidence.divergence = 0.05;
  evidence.floor_a = Floor{0.004, "tier-avx on a"};
  evidence.floor_b = Floor{0.006, "tier-sse42 on b"};
  evidence.answers = AnswerDifference{
      .p_value = 0.001, .alpha = 0.05, .accuracy_change = 0.04, .floor_change = 0.013};
  return evidence;
}

Judgement of(const Evidence& evidence) {
  return judge(evidence).judgement;
}

}  // namespace

TEST_CASE("files are distinguishable if all three conditions hold") {
  const Verdict verdict = judge(different());
  CHECK(verdict.judgement == Judgement::distinguishable);
  CHECK(verdict.sentence ==
        "distinguishable: KL(A‖B) 5.00e-02 nats is above the floor 6.00e-03 (tier-sse42 on b); the "
        "least p of the paired tests after Holm, 0.0010, is below 0.05; |Δ accuracy| 0.0400 is "
        "above the greatest that a setting makes, 0.0130");
  CHECK(verdict.conditions.size() == 3);
}

TEST_CASE("one condition that fails makes the difference noise") {
  Evidence evidence = different();
  evidence.divergence = 0.006;  // as much as the higher floor
  CHECK(of(evidence) == Judgement::within_noise);
  CHECK(judge(evidence).sentence ==
        "within execution noise: KL(A‖B) 6.00e-03 nats is not above the floor 6.00e-03 (tier-sse42 "
        "on b)");
  evidence = different();
  evidence.answers->p_value = 0.05;
  CHECK(of(evidence) == Judgement::within_noise);
  evidence = different();
  evidence.answers->accuracy_change = 0.013;
  CHECK(of(evidence) == Judgement::within_noise);
}

TEST_CASE("what was not asked is not decided, unless something else decides") {
  Evidence evidence = different();
  evidence.answers.reset();
  CHECK(of(evidence) == Judgement::undecided);
  CHECK(judge(evidence).sentence ==
        "the logits are distinguishable: KL(A‖B) 5.00e-02 nats is above the floor 6.00e-03 "
        "(tier-sse42 on b); of the answers: no items were asked");
  evidence.divergence = 0.001;
  CHECK(of(evidence) == Judgement::within_noise);
  evidence.floor_b.reset();
  CHECK(of(evidence) == Judgement::undecided);
  CHECK(judge(evidence).sentence.starts_with("undecided: the floor of a file is not known"));
  evidence = different();
  evidence.answers->floor_change.reset();
  CHECK(of(evidence) == Judgement::undecided);
}

TEST_CASE("files of the same bytes, or of the same rows, are identical") {
  Evidence evidence = different();
  evidence.same_rows = true;
  CHECK(of(evidence) == Judgement::identical);
  evidence = different();
  evidence.same_bytes = true;
  CHECK(of(evidence) == Judgement::identical);
  CHECK(judge(evidence).conditions.empty());
}

}  // namespace tare::floor
