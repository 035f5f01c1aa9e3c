#include "cli/speed_memory.h"

#include <doctest/doctest.h>

#include "base/files.h"
#include "cli/expected_time.h"
#include "support/support.h"

namespace tare::cli {

TEST_CASE("speeds are remembered by key, and one that is not measured keeps its value") {
  const test::TempDir folder;
  const SpeedMemory memory(folder.path() / "below" / "speeds.json");
  CHECK_FALSE(memory.recall("a").scored);
  memory.remember("a", {468.5, std::nullopt});
  memory.remember("b", {100.0, 50.0});
  memory.remember("a", {std::nullopt, 205.0});
  CHECK(memory.recall("a").scored == 468.5);
  CHECK(memory.recall("a").generated == 205.0);
  CHECK(memory.recall("b").scored == 100.0);
  CHECK_FALSE(memory.recall("c").scored);
}

TEST_CASE("a damaged memory and one of another version are as if nothing were known") {
  test::TempDir folder;
  for (const char* text :
       {"", "[1]", "{\"schema_version\": 1}",
        R"({"schema_version": 2, "speeds": [{"key": "a", "scored": 3}]})",
        R"({"schema_version": 1, "speeds": [7, {"key": "a", "scored": "3"}]})"}) {
    const SpeedMemory memory(folder.write("speeds.json", text));
    CHECK_FALSE(memory.recall("a").scored);
    memory.remember("a", {5.0, std::nullopt});
    CHECK(memory.recall("a").scored == 5.0);
  }
}

TEST_CASE("only so many speeds are kept, the latest ones") {
  test::TempDir folder;
  const SpeedMemory memory(folder.path() / "speeds.json");
  for (int i = 0; i < 101; ++i) memory.remember(std::to_string(i), {1.0 + i, std::nullopt});
  CHECK(memory.recall("100").scored == 101.0);
  CHECK(memory.recall("1").scored == 2.0);
  CHECK_FALSE(memory.recall("0").scored);
}

TEST_CASE("the key tells weights, threads, tiers and options of a model apart") {
  test::TempDir folder;
  RunOptions options;
  options.model.scheme = "gguf";
  options.model.name = folder.write("a.gguf", "weights").string();
  const std::string key = speed_key(options);
  CHECK(key == speed_key(options));
  const auto changed = [&](auto change) {
    RunOptions other = options;
    change(other);
    return speed_key(other) != key;
  };
  CHECK(changed([](RunOptions& o) { o.threads = 99; }));
  CHECK(changed([](RunOptions& o) { o.cpu_tier = "haswell"; }));
  CHECK(changed([](RunOptions& o) { o.fast = true; }));
  CHECK(changed([](RunOptions& o) { o.model.arguments = {{"kv", "f16"}}; }));
  CHECK(changed([&](RunOptions& o) { o.model.name = folder.write("b.gguf", "weightS").string(); }));
  CHECK_FALSE(changed([](RunOptions& o) { o.quiet = true; }));
  options.model.scheme = "scripted";
  CHECK(speed_key(options).empty());
}

TEST_CASE("the expected time follows from the speeds of the last run") {
  const run::Progress scores{.scored_total = 46800};
  CHECK(time_text(scores, {468.0, std::nullopt}) ==
        "time: about 1:40 on this machine, where the last run scored 468 unique tokens/s");
  const run::Progress both{
      .scored_total = 468, .prompts_total = 100, .answers_total = 2, .generated_most = 150};
  CHECK(time_text(both, {468.0, 20.0}) ==
        "time: at most 1:03 on this machine, where the last run scored 468 unique tokens/s and "
        "wrote 20 tokens/s");
  CHECK(time_text(both, {468.0, std::nullopt}).starts_with("time: unknown"));
  CHECK(time_text(scores, {}).starts_with("time: unknown"));
}

}  // namespace tare::cli
