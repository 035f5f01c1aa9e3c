#include "floor/mechanism.h"

#include <doctest/doctest.h>

#include <cmath>

#include "floor/protocol.h"
#include "unit/floor/grids.h"

namespace tare::floor {

TEST_CASE("the same changes are held against each other over all files") {
  const auto mechanism = mechanism_of(test::two_files());
  REQUIRE(mechanism);
  CHECK(mechanism->settings == std::vector<std::string>{"flash-attention", "tier-avx"});
  CHECK(*mechanism->files[0].typical == doctest::Approx(std::sqrt(4e-3 * 1e-3)));
  CHECK(*mechanism->files[0].times_first == doctest::Approx(1));
  CHECK(*mechanism->files[1].times_first == doctest::Approx(0.01));
  CHECK(mechanism->files[0].compared == mechanism->files[1].compared + 1);
  CHECK(mechanism->files[0].equal == mechanism->files[0].compared - 2);
}

TEST_CASE("nothing is typical where no setting moves every file") {
  Findings findings = test::two_files();
  for (SettingFindings& row : findings.files[1].settings)
    if (row.divergences) row.divergences = test::divergences(0);
  const auto mechanism = mechanism_of(findings);
  REQUIRE(mechanism);
  CHECK(mechanism->settings.empty());
  CHECK_FALSE(mechanism->files[0].typical);
  CHECK_FALSE(mechanism->files[1].times_first);
  findings.files.pop_back();
  CHECK_FALSE(mechanism_of(findings));
}

TEST_CASE("its table has the floor and the distance of each file") {
  const report::Table table = mechanism_table(test::two_files(), "m");
  REQUIRE(table.rows.size() == 2);
  for (const auto& row : table.rows) CHECK(row.size() == table.headers.size());
  CHECK(table.rows[0][5] == "4.00e-03");
  CHECK(table.rows[0][6] == "—");
  CHECK(table.rows[1][4] == "0.01");
  CHECK(table.rows[1][6] == "5.00e-02");
  CHECK(table.rows[1][7] == "0.0008");
}

TEST_CASE("the protocol has ten steps, with the names of the files for a shell") {
  Findings findings = test::two_files();
  findings.files[1].name = "it's b.gguf";
  const auto steps = protocol_of(findings);
  REQUIRE(steps.size() == 10);
  CHECK(steps[0].text.find("llama.cpp b1") != std::string::npos);
  CHECK(steps[1].command == "sha256sum a.gguf 'it'\\''s b.gguf'");
  CHECK(steps[5].command ==
        "tare run --model gguf:a.gguf --tasks mmlu --pin pin.yaml --output first");
  CHECK(steps[8].command.find("--tasks mmlu --positions 512") != std::string::npos);
  findings.files.pop_back();
  findings.pairs.clear();
  findings.answers.reset();
  CHECK(protocol_of(findings)[2].command ==
        "tare floor a.gguf OTHER.gguf --tasks none --positions 512 --write-pin pin.yaml "
        "--output floor");
}

}  // namespace tare::floor
