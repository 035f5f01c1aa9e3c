#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "backend/llama/llama_backend.h"

namespace tare::test {

/// A file of the demo model, by its number format ("f32"), or "gemma": in TARE_MODELS, else in the
/// cache. Says skip() if it is not there.
std::optional<std::filesystem::path> model_file(const std::string& format);

/// Opens it, or fails the test.
std::unique_ptr<backend::llama::LlamaBackend> open_model(const backend::llama::Options& options);

using Scores = std::map<std::size_t, core::LogLikelihood>;

/// Scores items, by id. Fails the test unless each one is answered once.
Scores score(backend::Backend& backend, std::span<const backend::ScoreItem> items);

using Answers = std::map<std::size_t, core::Generated>;

/// Continues prompts, by id. Fails the test unless each one is answered once.
Answers generate(backend::Backend& backend, std::span<const backend::GenerateItem> items);

}  // namespace tare::test
