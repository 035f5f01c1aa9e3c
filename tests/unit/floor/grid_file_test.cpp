#include "floor/grid_file.h"

#include <doctest/doctest.h>

namespace tare::floor {
namespace {

GridDefaults defaults() {
  return {.threads = 2, .window = 64, .tiers = {"haswell", "sandybridge", "sse42", "icelake"}};
}

std::string fault(std::string_view text) {
  const auto grid = read_grid(text, "g.yaml", defaults());
  return grid ? "" : grid.error().text;
}

const Setting* find(const Grid& grid, const std::string& name) {
  for (const Setting& setting : grid.settings)
    if (setting.name == name) return &setting;
  return nullptr;
}

}  // namespace

TEST_CASE("a grid file adds settings, around its reference") {
  const auto grid = read_grid(
      "reference: {tier: sandybridge, kv: f32}\n"
      "window: 32\n"
      "odd-prefix: {prefix: 7}\n"
      "both: {tier: [icelake, haswell], repack: false, sequences: 2, unified_kv: true}\n"
      "ubatch-32: {ubatch: 33}\n",
      "g.yaml", defaults());
  REQUIRE(grid);
  CHECK(grid->window == 32);
  CHECK(grid->reference.tiers == std::vector<std::string>{"sandybridge"});
  CHECK(grid->settings.size() == default_settings(grid->reference, 32).size() + 2);
  REQUIRE(find(*grid, "both") != nullptr);
  CHECK(factors_of(*find(*grid, "both"), grid->reference) ==
        std::vector<std::string>{"tier", "repack", "sequences", "unified_kv"});
  CHECK(find(*grid, "both")->manner.kv == core::KvType::f32);
  CHECK(find(*grid, "odd-prefix")->manner.prefix == 7);
  CHECK(find(*grid, "ubatch-32")->manner.micro_batch == 33);
  CHECK(find(*grid, "prefix-kept")->manner.prefix == 15);
}

TEST_CASE("around a pin a grid file names no reference") {
  GridDefaults given = defaults();
  given.pinned = default_reference(2);
  given.pinned->manner.micro_batch = 64;
  const auto grid =
      read_grid("default_grid: false\nfused: {flash_attention: true}\n", "g.yaml", given);
  REQUIRE(grid);
  CHECK(grid->reference.manner.micro_batch == 64);
  CHECK(grid->settings[0].manner.micro_batch == 64);
  const auto both = read_grid("\nreference: {threads: 1}\n", "g.yaml", given);
  REQUIRE_FALSE(both);
  CHECK(both.error().text ==
        "g.yaml:2: reference: the pin names the reference too; leave one of them out");
}

TEST_CASE("a grid file may stand alone") {
  const auto grid = read_grid("default_grid: false\nagain: {}\n", "g.yaml", defaults());
  REQUIRE(grid);
  CHECK(grid->window == 64);
  REQUIRE(grid->settings.size() == 1);
  CHECK(factors_of(grid->settings[0], grid->reference).empty());
}

TEST_CASE("faults of a grid file are told with their line") {
  CHECK(fault("\nfast: {ubatsh: 3}\n") ==
        "g.yaml:2: fast: unknown key 'ubatsh', did you mean ubatch?");
  CHECK(fault("fast: {ub\n\n  atch: 3}\n").find('\n') == std::string::npos);
  CHECK(fault("\"fa\\nst\": {}\n").find('\n') == std::string::npos);
  CHECK(fault("a: {}\nb: {repack: 3}\n") == "g.yaml:2: b: repack: found 3, wanted true or false");
  CHECK(fault("a: {tier: haswel}\n") ==
        "g.yaml:1: a: tier: CPU tier 'haswel' is unknown, did you mean haswell?; 'tare ls tiers' "
        "lists them");
  CHECK(fault("a: {ubatch: 0}\n") ==
        "g.yaml:1: a: ubatch: found 0, wanted a whole number from 1 on");
  CHECK(fault("a: {ubatch: 4096}\n") ==
        "g.yaml:1: a: ubatch: found 4096, wanted at most batch, 2048");
  CHECK(fault("a: {prefix: 64}\n") == "g.yaml:1: a: prefix: found 64, wanted at most 63");
  CHECK(fault("a: {sequences: 65}\n") == "g.yaml:1: a: sequences: found 65, wanted at most 64");
  CHECK(fault("a: {kv: q8_0}\n") == "g.yaml:1: a: kv: found 'q8_0', wanted f16 or f32");
  CHECK(fault("a b: {}\n") ==
        "g.yaml:1: a b: found 'a b', wanted a name of letters, digits and - _ . +");
  CHECK(fault("server-cache: {}\n").ends_with("those that begin with server are taken"));
  CHECK(fault("all: {}\n").starts_with("g.yaml:1: all: found 'all', wanted another name"));
  CHECK(fault("a: {kv: f32}\na: {kv: f16}\n").starts_with("g.yaml:2"));
  CHECK(fault("window: 1\n") == "g.yaml:1: window: found 1, wanted a whole number from 2 to 65536");
  CHECK(fault("default_grid: no\n") ==
        "g.yaml: the grid has no setting; name one, or leave out default_grid: false");
  CHECK(fault("default_grid: 3\n") == "g.yaml:1: default_grid: found 3, wanted true or false");
  CHECK(fault("a: 3\n").starts_with("g.yaml:1: a: found 3, wanted a mapping with tier, "));
  CHECK(fault("- a\n").starts_with("g.yaml:1:1:"));
}

}  // namespace tare::floor
