#include "backend/llama/probe.h"

#include <doctest/doctest.h>

#include "backend/llama/model.h"
#include "models.h"
#include "support/support.h"

/// The probe finds what is known not to hold, and nothing where all holds.
namespace tare::backend::llama {
namespace {

using core::InvarianceVerdict;

constexpr const char* kText =
    "Question: A cart is pushed twice as hard as before, and nothing else is changed. What happens "
    "to its acceleration?\nAnswer: It doubles. The harbour lay still under a thin layer of mist, "
    "and the boats that had come in during the night were being unloaded by men who hardly spoke. "
    "Nobody knew who had written the number 418 on the door.";

struct Opened {
  std::unique_ptr<LlamaBackend> backend;
  ModelPtr model;
};

/// Opens the file twice: the backend has loaded a CPU library, and can split text into tokens.
std::optional<Opened> open_twice(const std::string& format) {
  const auto file = test::model_file(format);
  if (!file) return std::nullopt;
  Options options;
  options.path = *file;
  options.threads = 1;
  options.prober = TIER_PROBER;
  Opened opened{test::open_model(options), {}};
  auto model = load_model(*file, 0);
  REQUIRE(model);
  opened.model = std::move(*model);
  return opened;
}

ProbeWork work_for(const LlamaBackend& backend, bool generates) {
  static const core::GenerationSettings settings;
  const auto tokens = backend.tokenizer().encode(kText, true);
  const std::vector<ScoreItem> items{{0, tokens, 1}};
  const std::vector<GenerateItem> prompts{{0, tokens, &settings, 0}};
  return make_probe_work(items, generates ? prompts : std::vector<GenerateItem>{}, {});
}

ProbeResult probe_with(const Opened& opened, std::size_t tile, bool generates = false) {
  ContextSettings settings;
  settings.shape_class = {.tile = tile, .grain = tile};
  settings.kv_bytes = 1ULL << 30;
  auto result = probe(opened.model.get(), settings, work_for(*opened.backend, generates), {});
  if (!result) FAIL(result.error().text);
  return std::move(*result);
}

void check_holds(const std::string& format) {
  const auto opened = open_twice(format);
  if (!opened) return;
  const ProbeResult result = probe_with(*opened, 8, true);
  CHECK(result.invariance.verdict == InvarianceVerdict::held);
  REQUIRE(result.invariance.attempts.size() == 1);
  CHECK(result.invariance.attempts[0].shape_class == "tile 8");
  CHECK(core::comparisons(result.invariance.attempts[0]) == 8);
  CHECK(core::differing(result.invariance.attempts[0]) == 0);
}

void check_narrows(const std::string& format) {
  const auto opened = open_twice(format);
  if (!opened) return;
  const ProbeResult result = probe_with(*opened, 1);
  CHECK(result.invariance.verdict == InvarianceVerdict::held);
  REQUIRE(result.invariance.attempts.size() == 2);
  CHECK(result.invariance.attempts[0].shape_class == "tile 1");
  CHECK(core::differing(result.invariance.attempts[0]) > 0);
  CHECK(result.invariance.attempts[1].shape_class == "tile 8");
  CHECK(core::differing(result.invariance.attempts[1]) == 0);
  CHECK(result.shape_class.tile == 8);
}

TEST_CASE("a probe finds that tiles of 8 rows hold: F32") {
  check_holds("f32");
}
TEST_CASE("a probe finds that tiles of 8 rows hold: Q4_K_M") {
  check_holds("q4_k_m");
}
TEST_CASE("a probe finds that single rows do not hold, and narrows the class: F32") {
  check_narrows("f32");
}
TEST_CASE("a probe finds that single rows do not hold, and narrows the class: Q4_K_M") {
  check_narrows("q4_k_m");
}

TEST_CASE("a probe finds that one sequence at a time holds") {
  const auto opened = open_twice("q4_k_m");
  if (!opened) return;
  ContextSettings settings;
  settings.shape_class.alone = true;
  settings.kv_bytes = 1ULL << 30;
  const auto result = probe(opened->model.get(), settings, work_for(*opened->backend, true), {});
  REQUIRE(result);
  CHECK(result->invariance.verdict == InvarianceVerdict::held);
  CHECK(result->invariance.attempts[0].shape_class == "one sequence at a time");
}

TEST_CASE("a probe without questions measures nothing") {
  const auto opened = open_twice("q4_k_m");
  if (!opened) return;
  const auto found = opened->backend->probe({}, {}, {});
  REQUIRE(found);
  CHECK(found->verdict == InvarianceVerdict::not_measured);
  CHECK(found->attempts.empty());
}

}  // namespace
}  // namespace tare::backend::llama
