#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "backend/backend.h"
#include "base/result.h"

namespace tare::backend::python {

/// A model in a Python library, in a process of its own (docs/formats/worker-protocol.md).
struct Options {
  std::string engine = "hf";   ///< "hf", "hf-pipeline", "langchain-hf", "vllm"
  std::filesystem::path path;  ///< a folder of Hugging Face's layout, or a GGUF file
  std::filesystem::path interpreter;
  std::filesystem::path cache;           ///< where a folder is made of a GGUF file's weights
  std::string dtype = "float32";         ///< or "float16", "bfloat16"
  std::size_t batch = 1;                 ///< items asked together
  unsigned threads = 0;                  ///< 0: the library's choice
  std::size_t context_length = 0;        ///< tokens; 0: the model's
  std::chrono::seconds item_limit{600};  ///< of one item; one that takes longer has failed
  std::size_t most_restarts = 20;        ///< of the worker in a run
  /// Hears of each death of the worker, one line.
  std::function<void(const std::string&)> warn = [](const std::string&) {};
};

/// True for the engines of Options.
bool is_engine(const std::string& name);

/// What an engine can do, without a model: its context length is unknown.
Capabilities usual_capabilities(const std::string& engine);

/// The short name of a model: of a GGUF file without its ending.
std::string model_name(const std::filesystem::path& path);

/// Loads the model. Errors: no such weights, no such interpreter, a library that is missing or does
/// not load the model.
base::Result<std::unique_ptr<Backend>> open(const Options& options);

/// A tokenizer with what keeps it alive.
struct OpenedTokenizer {
  std::shared_ptr<const core::Tokenizer> tokenizer;
  std::size_t context_length = 0;  ///< tokens; 0: none set
};

/// The model's tokenizer alone; no weights are loaded (but those of a GGUF file that was never used
/// before, which are written into the cache).
base::Result<OpenedTokenizer> open_tokenizer(const Options& options);

}  // namespace tare::backend::python
