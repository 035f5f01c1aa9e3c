#include "backend/llama/tiers.h"

#include <doctest/doctest.h>

#include <filesystem>

#include "support/support.h"

namespace tare::backend::llama {
namespace {

namespace fs = std::filesystem;

/// A prober that passes all tiers but those that the shell patterns name, which do `act`.
fs::path prober(const test::TempDir& folder, const std::string& patterns, const std::string& act) {
  const fs::path file = folder.write(
      "prober", "#!/bin/sh\ncase \"$2\" in " + patterns + ") " + act + ";; esac\nexit 0\n");
  fs::permissions(file, fs::perms::owner_all);
  return file;
}

std::vector<Tier> usable() {
  auto tiers = list_tiers();
  std::erase_if(tiers, [](const Tier& tier) { return tier.score == 0; });
  return tiers;
}

TEST_CASE("tiers are listed best first, with libraries that exist") {
  const auto tiers = list_tiers();
  REQUIRE_FALSE(tiers.empty());
  for (std::size_t i = 1; i < tiers.size(); ++i) CHECK(tiers[i - 1].score >= tiers[i].score);
  for (const Tier& tier : tiers) CHECK(fs::exists(tier.library));
  CHECK(tiers.front().score > 0);
}

TEST_CASE("the best tier that passes a real probe is chosen") {
  const auto choice = choose_tier("auto", TIER_PROBER, {});
  REQUIRE_MESSAGE(choice.has_value(), choice.error().text);
  CHECK(choice->tier.score > 0);
}

TEST_CASE("a tier that this CPU lacks fails its probe") {
  CHECK_FALSE(probe_tier(TIER_PROBER, "no-such-tier").passed);
  for (const Tier& tier : list_tiers())
    if (tier.score == 0) CHECK_FALSE(probe_tier(TIER_PROBER, tier.name).passed);
}

TEST_CASE("a tier that crashes is skipped with a warning that names tier and signal") {
  const auto tiers = usable();
  if (tiers.size() < 2) return test::skip("a CPU with two tiers");
  const test::TempDir folder;
  const auto choice = choose_tier("auto", prober(folder, tiers[0].name, "kill -ILL $$"), {});
  REQUIRE_MESSAGE(choice.has_value(), choice.error().text);
  CHECK(choice->tier.name == tiers[1].name);
  REQUIRE(choice->warnings.size() == 1);
  CHECK(choice->warnings[0].code == "cpu-tier-skipped");
  CHECK(choice->warnings[0].text ==
        "CPU tier " + tiers[0].name +
            " was killed by signal 4 SIGILL in its probe although the CPU announces its "
            "instructions; the next one is used");
}

TEST_CASE("no tier at all is one line of failure") {
  const test::TempDir folder;
  const auto choice = choose_tier("auto", prober(folder, "*", "exit 5"), {});
  REQUIRE_FALSE(choice.has_value());
  CHECK(choice.error().text.starts_with(
      "none of the CPU tiers of llama.cpp runs here; the last: CPU tier "));
  CHECK(choice.error().text.find("failed with exit code 5") != std::string::npos);
}

TEST_CASE("a tier that was asked for by name is taken or refused, never replaced") {
  const auto tiers = usable();
  const test::TempDir folder;
  const std::string worst = tiers.back().name;
  CHECK(choose_tier(worst, prober(folder, "none", "exit 1"), {})->tier.name == worst);
  const auto crashed = choose_tier(worst, prober(folder, worst, "kill -SEGV $$"), {});
  REQUIRE_FALSE(crashed.has_value());
  CHECK(crashed.error().text ==
        "CPU tier " + worst + " was killed by signal 11 SIGSEGV; choose another one, or auto");
}

TEST_CASE("an unknown tier is a usage error that names those there are") {
  const auto choice = choose_tier("pentium", {}, {});
  REQUIRE_FALSE(choice.has_value());
  CHECK(choice.error().kind == base::ErrorKind::usage);
  CHECK(choice.error().text.starts_with("CPU tier 'pentium' is unknown; this CPU can run " +
                                        usable()[0].name));
}

TEST_CASE("without a prober the ranking is trusted") {
  CHECK(choose_tier("auto", {}, {})->tier.name == usable()[0].name);
}

TEST_CASE("a prober that cannot be started is named") {
  const ProbeOutcome outcome = probe_tier("/no/such/prober", "x64");
  CHECK_FALSE(outcome.passed);
  CHECK(outcome.reason == "could not be tried (/no/such/prober: No such file or directory)");
}

}  // namespace
}  // namespace tare::backend::llama
