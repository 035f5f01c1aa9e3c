#include "floor/setting.h"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "floor/estimate.h"
#include "floor/server_rows.h"

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

TEST_CASE("tokens that are written one by one take longer than those of a prompt") {
  const core::Manner reference;
  core::Manner other;
  CHECK(expected_item_cost({.read = 100, .written = 0}, other, reference) == doctest::Approx(100));
  CHECK(expected_item_cost({.read = 0, .written = 100}, other, reference) > 400);
  other.sequences = 4;
  CHECK(expected_item_cost({.read = 0, .written = 100}, other, reference) < 250);
  CHECK(expected_item_cost({.read = 100, .written = 0}, other, reference) == doctest::Approx(100));
}

TEST_CASE("each row of the server is held against one before it") {
  std::vector<std::string> before{""};
  for (const ServerRow& row : server_rows()) {
    CHECK(std::ranges::find(before, row.against) != before.end());
    before.push_back(row.name);
  }
  CHECK(server_rows()[2].slots == server_rows()[3].slots);
  CHECK(server_rows()[2].cache_prompt == server_rows()[3].cache_prompt);
}

}  // namespace tare::floor
