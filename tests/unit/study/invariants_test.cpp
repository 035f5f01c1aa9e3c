#include "study/invariants.h"

#include <doctest/doctest.h>

#include "study/document.h"
#include "unit/study/studies.h"

namespace tare {
namespace {

/// hf as the baseline, its pipeline, and a backend of another kind, on four items.
study::Findings wrapped(const std::vector<double>& pipeline) {
  study::Findings findings;
  findings.design = test::small_design();
  findings.observations = test::empty_observations(findings.design, 4);
  const std::vector<std::vector<double>> answers{{1, 0, 1, 1}, pipeline, {0, 0, 0, 1}};
  const std::vector<std::string> engines{"hf", "hf-pipeline", "llama.cpp"};
  for (std::size_t backend = 0; backend < 3; ++backend) {
    test::add_cell(findings.observations, {0, backend, "deterministic", 0, 0}).items["acc"] =
        answers[backend];
    findings.facts.push_back({0, backend, {}});
    findings.facts.back().facts.backend = engines[backend];
  }
  findings.comparisons = study::compare(findings.design, findings.observations);
  return findings;
}

}  // namespace

TEST_CASE("the invariants are stated with how often they held") {
  const auto found = study::invariants_of(wrapped({1, 0, 1, 1}));
  REQUIRE(found.size() == 2);
  CHECK(found[0].holds);
  CHECK(found[0].text.ends_with("holds in 2 of 2 comparisons."));
  CHECK(found[1].holds);
  CHECK(found[1].text.starts_with("hf-pipeline and hf, the same model object"));
  CHECK(found[1].text.ends_with("holds in 1 of 1 comparisons."));
}

TEST_CASE("a pipeline that changes a greedy answer is told, although the scores are equal") {
  const auto found = study::invariants_of(wrapped({0, 1, 1, 1}));
  REQUIRE(found.size() == 2);
  CHECK(found[0].holds);
  CHECK_FALSE(found[1].holds);
  CHECK(found[1].text.ends_with(
      "BROKEN in 1 of 1 comparisons, first one, same, deterministic, quiz acc."));
}

TEST_CASE("numbers that contradict each other are told first of all") {
  study::Findings findings = wrapped({1, 0, 1, 1});
  findings.comparisons[1].disagreement = 0.25;
  const auto warnings = study::warnings_of(findings);
  REQUIRE_FALSE(warnings.empty());
  CHECK(
      warnings[0].starts_with("|Δ| ≤ D where each item has one verdict or a graded score: BROKEN "
                              "in 1 of 2"));
}

TEST_CASE("what a study has no comparison for is not claimed") {
  study::Findings findings = wrapped({1, 0, 1, 1});
  findings.facts.clear();
  CHECK(study::invariants_of(findings).size() == 1);
  findings.comparisons.clear();
  CHECK(study::invariants_of(findings).empty());
}

}  // namespace tare
