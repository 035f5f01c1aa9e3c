#include "backend/llama/context_settings.h"

#include <algorithm>
#include <thread>

#include "backend/llama/capacity.h"
#include "backend/llama/machine.h"

namespace tare::backend::llama {
namespace {

std::size_t file_bytes(const std::filesystem::path& path) {
  std::error_code fault;
  const auto bytes = std::filesystem::file_size(path, fault);
  return fault ? 0 : static_cast<std::size_t>(bytes);
}

}  // namespace

unsigned thread_count(const Options& options) {
  return options.threads != 0 ? options.threads : std::max(1U, std::thread::hardware_concurrency());
}

ContextSettings context_settings(const Options& options) {
  ContextSettings settings;
  settings.threads = thread_count(options);
  settings.shape_class = options.shape;
  settings.rows = options.rows;
  settings.streams = options.streams;
  settings.kv_bytes = options.kv_bytes;
  if (settings.kv_bytes == 0)
    settings.kv_bytes = cache_budget(available_memory(), file_bytes(options.path));
  settings.kv = options.kv;
  settings.share_prefixes = options.share_prefixes;
  settings.flash_attention = options.mode == Mode::fast;
  return settings;
}

}  // namespace tare::backend::llama
