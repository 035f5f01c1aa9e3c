#include "models.h"

#include <doctest/doctest.h>

#include <cstdlib>

#include "support/support.h"

namespace tare::test {
namespace fs = std::filesystem;

std::optional<fs::path> model_file(const std::string& format) {
  fs::path folder;
  const auto set = [&](const char* variable, const char* below) {
    const char* value = std::getenv(variable);
    if (folder.empty() && value != nullptr && *value != '\0') folder = fs::path(value) / below;
  };
  set("TARE_MODELS", "");
  set("TARE_CACHE_DIR", "models");
  set("XDG_CACHE_HOME", "tare/models");
  set("HOME", ".cache/tare/models");
  const fs::path file = folder / (format == "gemma" ? "gemma-3-270m-q4_k_m.gguf"
                                                    : "smollm2-135m-instruct-" + format + ".gguf");
  if (fs::exists(file)) return file;
  skip("model " + file.filename().string());
  return std::nullopt;
}

std::unique_ptr<backend::llama::LlamaBackend> open_model(const backend::llama::Options& options) {
  auto opened = backend::llama::open(options);
  if (!opened) FAIL(opened.error().text);
  return std::move(*opened);
}

Scores score(backend::Backend& backend, std::span<const backend::ScoreItem> items) {
  Scores scores;
  const auto sink = [&](std::span<const backend::ScoreResult> results) {
    for (const auto& result : results) REQUIRE(scores.emplace(result.id, *result.value).second);
  };
  const auto status = backend.score(items, sink, {});
  if (!status) FAIL(status.error().text);
  REQUIRE(scores.size() == items.size());
  return scores;
}

Answers generate(backend::Backend& backend, std::span<const backend::GenerateItem> items) {
  Answers answers;
  const auto sink = [&](std::span<const backend::GenerateResult> results) {
    for (const auto& result : results) REQUIRE(answers.emplace(result.id, *result.value).second);
  };
  const auto status = backend.generate(items, sink, {});
  if (!status) FAIL(status.error().text);
  REQUIRE(answers.size() == items.size());
  return answers;
}

}  // namespace tare::test
