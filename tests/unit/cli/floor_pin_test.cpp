#include "cli/floor_pin.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "backend/llama/llama_backend.h"
#include "cli/pin.h"

namespace tare::cli {
namespace {

TEST_CASE("a reference that is written as a pin is the same reference again") {
  floor::Setting reference = floor::default_reference(2);
  reference.manner.tier = "haswell";
  reference.manner.repack = false;
  reference.manner.kv = core::KvType::f32;
  const auto pin = pin_of(reference);
  REQUIRE(pin);
  CHECK(pin->release == backend::llama::version());
  CHECK_FALSE(pin->prefix_reuse);
  CHECK(pin->slots == 1);
  floor::Setting again = reference_of(*pin, 2);
  CHECK(again.tiers == std::vector<std::string>{"haswell"});
  again.manner.tier = "haswell";
  CHECK(again.manner == reference.manner);
}

TEST_CASE("a micro-batch that no pin has is refused") {
  floor::Setting reference = floor::default_reference(2);
  reference.manner.tier = "haswell";
  reference.manner.micro_batch = 32;
  const auto pin = pin_of(reference);
  REQUIRE_FALSE(pin);
  CHECK(pin.error().kind == base::ErrorKind::usage);
  CHECK(pin.error().text ==
        "--write-pin: the reference: ubatch: found 32, wanted a multiple of 64 from 64 to 8192");
}

TEST_CASE("a pin leaves threads and batches open") {
  const auto pinned = pinned_by_a_pin();
  for (const char* name : {"tier", "ubatch", "prefix", "sequences", "server"})
    CHECK(std::ranges::find(pinned, name) != pinned.end());
  CHECK(pinned.size() + 2 == pinnable_names().size());
}

}  // namespace
}  // namespace tare::cli
