#include "backend/llama/memory_estimate.h"

#include <doctest/doctest.h>

#include "backend/llama/machine.h"
#include "models.h"

namespace tare::backend::llama {
namespace {

constexpr std::size_t kMiB = 1U << 20;

std::vector<ScoreItem> items_of(std::size_t length) {
  std::vector<ScoreItem> items;
  for (core::Token i = 0; i < 40; ++i)
    items.push_back(
        {static_cast<std::size_t>(i), std::vector<core::Token>(length, 5 + i), length - 1});
  return items;
}

Options options_for(const std::filesystem::path& path) {
  Options options;
  options.path = path;
  options.threads = 1;
  options.kv_bytes = 256 * kMiB;
  return options;
}

TEST_CASE("the KV cache is what the streams take, and no more than is allowed") {
  const auto path = test::model_file("q8_0");
  if (!path) return;
  // SmolLM2-135M: 30 layers, 3 heads of 64 values, keys and values, 4 bytes each.
  constexpr std::size_t kTokenBytes = std::size_t{30} * 3 * 64 * 2 * 4;
  const auto small = estimate_memory(options_for(*path), items_of(100), {});
  REQUIRE_MESSAGE(small.has_value(), small.error().text);
  CHECK(small->cache == 256 * kTokenBytes * (256 * kMiB / (256 * kTokenBytes)));
  const auto large = estimate_memory(options_for(*path), items_of(1500), {});
  REQUIRE(large.has_value());
  CHECK(large->cache == 1536 * kTokenBytes * (256 * kMiB / (1536 * kTokenBytes)));
  CHECK(large->compute > small->compute);
  CHECK(small->weights >= std::filesystem::file_size(*path));
  CHECK(small->total() > small->weights + small->cache);
}

TEST_CASE("kernels that want the weights in another layout take memory for them") {
  const auto path = test::model_file("q4_k_m");
  if (!path) return;
  Options options = options_for(*path);
  const auto need = estimate_memory(options, items_of(100), {});
  REQUIRE(need.has_value());
  CHECK(need->weights >= std::filesystem::file_size(*path));
  CHECK(need->weights < 2 * std::filesystem::file_size(*path));
}

TEST_CASE("answers take the streams of prompts and slots") {
  const auto path = test::model_file("q8_0");
  if (!path) return;
  core::GenerationSettings settings;
  settings.max_tokens = 100;
  const std::vector<GenerateItem> prompts{{0, {5, 6, 7}, &settings, 0}};
  Options options = options_for(*path);
  options.kv_bytes = 1;
  constexpr std::size_t kStreams = std::size_t{30} * 3 * 64 * 2 * 4 * 256 * 9;
  const auto probed = estimate_memory(options, {}, prompts);
  REQUIRE(probed.has_value());
  CHECK(probed->cache == 2 * kStreams);  // the probe has two caches side by side
  options.mode = Mode::fast;
  const auto bare = estimate_memory(options, {}, prompts);
  REQUIRE(bare.has_value());
  CHECK(bare->cache == kStreams);
}

TEST_CASE("a small run takes what its probe takes, and no more rows of logits than are used") {
  const auto path = test::model_file("q8_0");
  if (!path) return;
  constexpr std::size_t kRow = std::size_t{49152} * 4;
  const std::vector<ScoreItem> one{{0, {5, 6, 7, 8}, 3}};
  Options options = options_for(*path);
  options.streams = 1;
  const auto probed = estimate_memory(options, one, {});
  REQUIRE(probed.has_value());
  CHECK(probed->logits >= 24 * kRow);  // one of the probe's items has 22
  CHECK(probed->compute > 0);
  options.mode = Mode::fast;
  const auto bare = estimate_memory(options, one, {});
  REQUIRE(bare.has_value());
  CHECK(bare->logits == 8 * kRow);
  CHECK(bare->compute > 0);
}

TEST_CASE("weights that do not fit are refused, with need and have") {
  CHECK(check_weights_fit("m.gguf", 100 * kMiB, 101 * kMiB).has_value());
  CHECK(check_weights_fit("m.gguf", 100 * kMiB, 0).has_value());
  const auto refused = check_weights_fit("m.gguf", 7000 * kMiB, 4000 * kMiB);
  REQUIRE(!refused.has_value());
  CHECK(refused.error().text ==
        "model m.gguf: its weights need 7000 MiB of memory, 4000 MiB are free; wanted a file in a "
        "smaller number format (tare quantize), or more memory");
}

TEST_CASE("a process knows its memory and the machine's") {
  CHECK(available_memory() > 0);
  const std::size_t before = resident_memory();
  const std::vector<char> block(64 * kMiB, 'x');
  CHECK(resident_memory() > before + 60 * kMiB);
  CHECK(block.back() == 'x');
}

}  // namespace
}  // namespace tare::backend::llama
