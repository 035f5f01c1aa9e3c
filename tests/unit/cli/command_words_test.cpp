#include "cli/command_words.h"

#include <doctest/doctest.h>

#include <array>

namespace tare::cli {
namespace {

using Words = std::vector<std::string>;

constexpr std::array<std::string_view, 2> kOutput{"--output", "-o"};

}  // namespace

TEST_CASE("an option goes with its value, however it is written") {
  for (const Words& words :
       std::vector<Words>{{"--output", "-o"}, {"--output=a"}, {"-o", "a"}, {"-oa"}}) {
    Words all{"--limit", "3"};
    all.insert(all.end(), words.begin(), words.end());
    CAPTURE(words.front());
    CHECK(without_option(all, kOutput) == Words{"--limit", "3"});
  }
  CHECK(without_option({"--num_fewshot", "2", "--output-folder", "a", "--output"}, kOutput) ==
        Words{"--num-fewshot", "2", "--output-folder", "a"});
}

TEST_CASE("a run goes on in the folder that it was in, whatever it was told") {
  const Words whole{"tare", "run", "--limit", "3", "--output", "tare-runs/a"};
  CHECK(resuming_words({"--limit", "3"}, "tare-runs/a") == whole);
  CHECK(resuming_words({"-o", "b", "--limit", "3"}, "tare-runs/a") == whole);
  CHECK(resuming_words({"--output_path=b", "--limit", "3"}, "tare-runs/a") == whole);
}

}  // namespace tare::cli
