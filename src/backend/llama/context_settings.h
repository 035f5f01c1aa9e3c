#pragma once

#include <cstddef>

#include "backend/llama/llama_backend.h"

namespace tare::backend::llama {

struct ContextSettings {
  unsigned threads = 1;
  ShapeClass shape_class;
  std::size_t rows = 512;    ///< most rows in a decode
  std::size_t streams = 24;  ///< the most; memory may allow fewer
  std::size_t kv_bytes = 0;
  KvFormat kv = KvFormat::f32;
  bool share_prefixes = true;
  bool flash_attention = false;
};

/// What the options come to on this machine, before the weights are loaded.
ContextSettings context_settings(const Options& options);

/// As many as the machine has, unless the options name a number.
unsigned thread_count(const Options& options);

}  // namespace tare::backend::llama
