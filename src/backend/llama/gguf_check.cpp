#include "backend/llama/gguf_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "backend/llama/gguf_file.h"

namespace tare::backend::llama {
namespace {

using base::input_error;

base::Status check_tensors(const std::filesystem::path& path, const gguf_context& gguf) {
  const std::int64_t count = gguf_get_n_tensors(&gguf);
  if (count == 0)
    return input_error(
        fmt::format("model {}: has no tensors; it may be a vocabulary alone", path.string()));
  std::uint64_t end = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    const std::uint64_t begin = gguf_get_data_offset(&gguf) + gguf_get_tensor_offset(&gguf, i);
    end = std::max<std::uint64_t>(end, begin + gguf_get_tensor_size(&gguf, i));
  }
  std::error_code fault;
  const std::uint64_t size = std::filesystem::file_size(path, fault);
  if (fault) return input_error(fmt::format("model {}: {}", path.string(), fault.message()));
  if (end > size)
    return input_error(
        fmt::format("model {}: cut off: has {} bytes, its tensors need {}; fetch or "
                    "copy it again",
                    path.string(), size, end));
  return {};
}

/// llama.cpp finds the other parts by name; their hashes would be missing from a result.
base::Status check_split(const std::filesystem::path& path, const gguf_context& gguf) {
  const std::int64_t key = gguf_find_key(&gguf, "split.count");
  if (key < 0 || gguf_get_kv_type(&gguf, key) != GGUF_TYPE_UINT16) return {};
  const unsigned parts = gguf_get_val_u16(&gguf, key);
  if (parts <= 1) return {};
  return input_error(fmt::format(
      "model {}: one of {} parts, wanted one whole file; join them with llama-gguf-split --merge",
      path.string(), parts));
}

}  // namespace

base::Status check_gguf(const std::filesystem::path& path) {
  TARE_TRY(const Gguf gguf, read_gguf(path));
  TARE_CHECK(check_split(path, *gguf));
  return check_tensors(path, *gguf);
}

}  // namespace tare::backend::llama
