#include "backend/llama/tier_memory.h"

#include <doctest/doctest.h>

#include "base/files.h"
#include "support/support.h"

namespace tare::backend::llama {
namespace {

TierChoice some_choice() {
  TierChoice choice{.tier = list_tiers().front(), .warnings = {}};
  choice.warnings.push_back({.code = "cpu-tier-skipped", .text = "CPU tier \"x\" was killed"});
  return choice;
}

TEST_CASE("a choice is remembered with its warnings, in a folder that is made for it") {
  const test::TempDir folder;
  const TierMemory memory(folder.path() / "new");
  CHECK_FALSE(memory.recall().has_value());
  const TierChoice choice = some_choice();
  memory.remember(choice);
  const auto found = TierMemory(folder.path() / "new").recall();
  REQUIRE(found.has_value());
  CHECK(found->tier.name == choice.tier.name);
  CHECK(found->tier.library == choice.tier.library);
  REQUIRE(found->warnings.size() == 1);
  CHECK(found->warnings[0].text == choice.warnings[0].text);
}

TEST_CASE(
    "what is damaged, about another machine or about a library that is gone counts as nothing") {
  const test::TempDir folder;
  const TierMemory memory(folder.path());
  memory.remember(some_choice());
  const auto file = folder.path() / "cpu-tier.json";
  const std::string good = base::read_file(file).value();
  REQUIRE(memory.recall().has_value());
  for (const std::string& bad :
       {std::string(), std::string("{"), std::string("[]"), std::string("{}"),
        std::string("\0\xff", 2), good.substr(0, good.size() / 2)}) {
    folder.write("cpu-tier.json", bad);
    CHECK_FALSE(memory.recall().has_value());
  }
  std::string other_machine = good;
  other_machine[other_machine.find("\"key\": \"") + 8] ^= 1;
  folder.write("cpu-tier.json", other_machine);
  CHECK_FALSE(memory.recall().has_value());
  TierChoice gone = some_choice();
  gone.tier.library = folder.path() / "libggml-cpu-gone.so";
  memory.remember(gone);
  CHECK_FALSE(memory.recall().has_value());
}

TEST_CASE("without a folder nothing is remembered") {
  const TierMemory memory({});
  memory.remember(some_choice());
  CHECK_FALSE(memory.recall().has_value());
}

}  // namespace
}  // namespace tare::backend::llama
