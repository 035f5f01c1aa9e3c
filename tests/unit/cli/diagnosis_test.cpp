#include "cli/diagnosis.h"

#include <doctest/doctest.h>

#include "base/json.h"

namespace tare::cli {
namespace {

using core::Invariance;
using core::InvarianceVerdict;

Invariance measured(std::size_t differing) {
  const auto verdict = differing == 0 ? InvarianceVerdict::held : InvarianceVerdict::broken;
  return {verdict, {{"tile 8", {{"alone", 3, differing}, {"other_company", 3, 0}}}}};
}

/// A machine with three tiers, of which the best fails.
Diagnosis machine() {
  Diagnosis diagnosis;
  diagnosis.program = "tare 0";
  diagnosis.build = base::Dict();
  base::Dict facts;
  facts.set("cpu", "Abacus 7");
  facts.set("processors", 4);
  facts.set("memory_bytes", std::size_t{3} << 30U);
  diagnosis.machine = std::move(facts);
  diagnosis.threads = 4;
  diagnosis.backends = {"gguf"};
  diagnosis.cache_folder = "kept";
  diagnosis.tiers = {
      {"best", TierState::fails, "was killed by signal 4 SIGILL", false, {}, 0},
      {"good", TierState::works, "", true, {}, 0},
      {"plain", TierState::works, "", false, {}, 0},
      {"other", TierState::lacks_instructions, "", false, {}, 0},
  };
  return diagnosis;
}

Diagnosis with_model(Invariance on_good, Invariance on_plain) {
  Diagnosis diagnosis = machine();
  diagnosis.model = "gguf:m.gguf";
  diagnosis.tiers[1].invariance = std::move(on_good);
  diagnosis.tiers[2].invariance = std::move(on_plain);
  diagnosis.tiers[2].seconds = 2.25;
  return diagnosis;
}

TEST_CASE("the machine alone: what runs, what does not and why") {
  CHECK(diagnosis_text(machine()) ==
        "tare 0\n"
        "machine: Abacus 7, 4 processors, 3.0 GiB of memory, unknown\n"
        "threads of a run: 4\n"
        "backends: gguf\n"
        "cache: kept, can be written\n"
        "\n"
        "|CPU tier|                  State                   |\n"
        "|--------|------------------------------------------|\n"
        "|best    |was killed by signal 4 SIGILL in its probe|\n"
        "|good    |runs here, a run uses it                  |\n"
        "|plain   |runs here                                 |\n"
        "|other   |needs instructions that this CPU lacks    |\n");
  CHECK(verdict(machine()).has_value());
}

TEST_CASE("only the tier that a run uses decides") {
  CHECK(verdict(with_model(measured(0), measured(2))).has_value());
  const auto broken = verdict(with_model(measured(2), measured(0)));
  CHECK(broken.error().kind == base::ErrorKind::failed);
  CHECK(broken.error().text ==
        "gguf:m.gguf on CPU tier good: invariance broken, wanted held; it holds with --cpu-tier "
        "plain");
  const auto nowhere = verdict(with_model(measured(2), measured(1)));
  CHECK(
      nowhere.error().text ==
      "gguf:m.gguf on CPU tier good: invariance broken, wanted held; it holds on no tier that was "
      "tried (--all-tiers tries each)");
}

TEST_CASE("what was not measured is no pass") {
  CHECK_FALSE(verdict(with_model({}, measured(0))).has_value());
  Diagnosis killed = with_model(measured(0), measured(0));
  killed.tiers[1].invariance.reset();
  killed.tiers[1].fault = "was killed by signal 9 SIGKILL";
  CHECK(verdict(killed).error().text ==
        "gguf:m.gguf on CPU tier good: was killed by signal 9 SIGKILL; it holds with --cpu-tier "
        "plain");
}

TEST_CASE("a machine without a tier that works, and one whose memory names a broken tier") {
  Diagnosis none = machine();
  none.tiers.resize(1);
  CHECK(verdict(none).error().text ==
        "none of the CPU tiers runs here; build tare on this machine");
  none.tiers[0].chosen = true;
  CHECK(verdict(none).error().text ==
        "CPU tier best, which runs use, was killed by signal 4 SIGILL in its probe; remove "
        "kept/cpu-tier.json, which remembers it");
}

TEST_CASE("with a model each tier has its verdict in the document") {
  const base::Value document = diagnosis_document(with_model(measured(0), measured(2)));
  const auto& tiers = document.find("tiers")->items();
  REQUIRE(tiers.size() == 4);
  CHECK(tiers[0].find("invariance")->is_none());
  CHECK(tiers[1].find("invariance")->find("verdict")->as_string() == "held");
  CHECK(tiers[2].find("invariance")->find("verdict")->as_string() == "broken");
  CHECK(tiers[2].find("seconds")->as_number() == 2.25);
  CHECK(document.find("problem")->is_none());
}

TEST_CASE("what one tier's process tells arrives whole") {
  const auto told = read_tried(base::json::dump(tried_value(measured(2))));
  REQUIRE(told.has_value());
  CHECK(told->verdict == InvarianceVerdict::broken);
  CHECK(core::differing(told->attempts.at(0)) == 2);
  const auto fault = read_tried(base::json::dump(tried_value(base::work_failed("no memory"))));
  CHECK(fault.error().text == "no memory");
  CHECK_FALSE(read_tried("").has_value());
  CHECK_FALSE(read_tried("{}").has_value());
}

}  // namespace
}  // namespace tare::cli
