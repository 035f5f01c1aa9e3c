#pragma once

#include <gguf.h>

#include <filesystem>
#include <memory>

#include "base/result.h"

namespace tare::backend::llama {

struct FreeGguf {
  void operator()(gguf_context* gguf) const { gguf_free(gguf); }
};
using Gguf = std::unique_ptr<gguf_context, FreeGguf>;

/// A model file's metadata, without its weights. Errors: missing, unreadable, no GGUF file, a
/// version that llama.cpp does not read, damaged.
base::Result<Gguf> read_gguf(const std::filesystem::path& path);

}  // namespace tare::backend::llama
