#include "backend/python/weights_hash.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <string_view>

#include "base/hash.h"

namespace tare::backend::python {
namespace {

namespace fs = std::filesystem;
using base::Result;

constexpr std::array<std::string_view, 5> kHashed{".safetensors", ".json", ".model", ".txt",
                                                  ".jinja"};

bool has_safetensors(const fs::path& folder) {
  std::error_code fault;
  const fs::directory_iterator entries(folder, fault);
  return std::any_of(begin(entries), end(entries), [](const fs::directory_entry& entry) {
    return entry.path().extension() == ".safetensors";
  });
}

}  // namespace

base::Status check_weights(const fs::path& path) {
  std::error_code fault;
  if (path.extension() == ".gguf" && fs::is_regular_file(path, fault)) return {};
  if (!fs::exists(path, fault))
    return base::input_error(fmt::format(
        "model {}: no such file or folder; wanted a folder with config.json and *.safetensors, or "
        "a GGUF file",
        path.string()));
  if (fs::is_regular_file(path / "config.json", fault) && has_safetensors(path)) return {};
  return base::input_error(fmt::format(
      "model {}: it holds no {}; wanted a folder with config.json and *.safetensors, "
      "or a GGUF file",
      path.string(), fs::exists(path / "config.json", fault) ? "*.safetensors" : "config.json"));
}

Result<std::string> weights_hash(const fs::path& path) {
  if (!fs::is_directory(path)) return base::sha256_file(path);
  std::map<std::string, std::string> hashes;
  std::error_code fault;
  for (const fs::directory_entry& entry : fs::directory_iterator(path, fault)) {
    const std::string kind = entry.path().extension().string();
    if (!entry.is_regular_file(fault) || std::ranges::find(kHashed, kind) == kHashed.end())
      continue;
    TARE_TRY(hashes[entry.path().filename().string()], base::sha256_file(entry.path()));
  }
  std::string lines;
  for (const auto& [name, hash] : hashes) lines += fmt::format("{}  {}\n", hash, name);
  return base::sha256_hex(lines);
}

}  // namespace tare::backend::python
