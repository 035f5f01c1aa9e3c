#include "floor/setting.h"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "floor/estimate.h"

namespace tare::floor {
namespace {

std::string names(const std::vector<Setting>& settings) {
  std::vector<std::string> names;
  for (const Setting& setting : settings) names.push_back(setting.name);
  return fmt::format("{}", fmt::join(names, " "));
}

}  // namespace

TEST_CASE("the default grid changes one thing at a time") {
  const Setting reference = default_reference(2);
  const auto settings = default_settings(reference, 512);
  CHECK(names(settings) ==
        "rerun threads-1 ubatch-1 ubatch-32 ubatch-128 flash-attention repack-off tier-avx "
        "tier-sse42 tier-avx512 prefix-kept parallel-4 parallel-4-unified");
  for (const Setting& setting : settings) {
    CAPTURE(setting.name);
    const std::size_t expected = setting.name == "rerun"                ? 0
                                 : setting.name == "parallel-4-unified" ? 2
                                                                        : 1;
    CHECK(factors_of(setting, reference).size() == expected);
    CHECK(equal_expected(setting, reference) ==
          (setting.name == "rerun" || setting.name == "threads-1"));
  }
}

TEST_CASE("what changes nothing of a reference is no setting of its grid") {
  Setting reference = default_reference(1);
  reference.manner.repack = false;
  reference.manner.micro_batch = 32;
  reference.tiers = {"sse42"};
  CHECK(names(default_settings(reference, 8)) ==
        "rerun threads-2 ubatch-1 ubatch-128 flash-attention tier-avx tier-avx512 prefix-kept "
        "parallel-4 parallel-4-unified");
}

TEST_CASE("differences are told with their values") {
  const Setting reference = default_reference(2);
  Setting setting = reference;
  CHECK(difference_text(setting, reference) == "the same");
  setting.tiers = {"icelake", "skylakex"};
  setting.manner.flash_attention = true;
  CHECK(difference_text(setting, reference) == "tier icelake or skylakex, flash_attention on");
}

TEST_CASE("a slower tier, fewer rows at a time and fewer threads are expected to take longer") {
  core::Manner reference, other;
  reference.threads = other.threads = 2;
  CHECK(expected_cost(other, reference) == 1);
  other.threads = 1;
  CHECK(expected_cost(other, reference) == 2);
  other.tier = "sse42";
  CHECK(expected_cost(other, reference) > 2);
  other.micro_batch = 1;
  CHECK(expected_cost(other, reference) > 30);
}

}  // namespace tare::floor
