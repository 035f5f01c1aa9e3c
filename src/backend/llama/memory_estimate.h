#pragma once

#include <cstddef>
#include <filesystem>
#include <span>

#include "backend/backend.h"
#include "backend/llama/llama_backend.h"

/// What a run will take of the machine's memory, found without its weights.
namespace tare::backend::llama {

/// Bytes at the moment at which a run needs most.
struct MemoryNeed {
  std::size_t weights = 0;  ///< the mapped file, and copies in the layout of the kernels
  std::size_t cache = 0;    ///< keys and values
  std::size_t compute = 0;  ///< what the largest decode works in
  std::size_t logits = 0;
  std::size_t results = 0;    ///< what comes back, and what the schedule keeps of each item
  std::size_t program = 0;    ///< the rest of this process as it is now: tasks, requests, code
  std::size_t available = 0;  ///< free before the run; 0: unknown

  [[nodiscard]] std::size_t total() const {
    return weights + cache + compute + logits + results + program;
  }
};

/// Asks llama.cpp, with a model and KV caches that hold nothing, what they would take for these
/// items. Errors: those of open() before the weights are read, and KV caches that do not fit.
base::Result<MemoryNeed> estimate_memory(const Options& options, std::span<const ScoreItem> items,
                                         std::span<const GenerateItem> generations);

/// Refuses a model whose weights do not fit into what is free. `available` 0: unknown, never
/// refused.
base::Status check_weights_fit(const std::filesystem::path& path, std::size_t weights,
                               std::size_t available);

}  // namespace tare::backend::llama
