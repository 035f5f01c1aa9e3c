#include "backend/llama/gguf_file.h"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <string_view>

#include "backend/llama/log_capture.h"

namespace tare::backend::llama {
namespace {

using base::input_error;

constexpr std::string_view kMagic = "GGUF";
constexpr std::uint32_t kOldestVersion = 2, kNewestVersion = 3;

/// The bytes as a person can read them: printable ASCII as it is, the rest as \xNN.
std::string shown(std::string_view bytes) {
  std::string text;
  for (const char c : bytes) {
    const bool printable = c >= ' ' && c <= '~';
    text += printable ? std::string(1, c) : fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
  }
  return text;
}

base::Result<std::uint64_t> size_of(const std::filesystem::path& path) {
  std::error_code fault;
  const auto status = std::filesystem::status(path, fault);
  if (!std::filesystem::exists(status))
    return input_error(fmt::format("model {}: no such file; wanted a GGUF file", path.string()));
  if (std::filesystem::is_directory(status))
    return input_error(
        fmt::format("model {}: is a folder; name the GGUF file inside it", path.string()));
  const std::uint64_t size = std::filesystem::file_size(path, fault);
  if (fault) return input_error(fmt::format("model {}: {}", path.string(), fault.message()));
  return size;
}

base::Status check_header(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file)
    return input_error(
        fmt::format("model {}: cannot be opened: {}", path.string(), std::strerror(errno)));
  std::array<char, 8> bytes{};
  file.read(bytes.data(), bytes.size());
  const std::string_view head(bytes.data(), static_cast<std::size_t>(file.gcount()));
  if (!head.starts_with(kMagic))
    return input_error(
        fmt::format("model {}: not a GGUF file: it begins with \"{}\", wanted \"{}\"",
                    path.string(), shown(head.substr(0, 4)), kMagic));
  std::uint32_t version = 0;
  std::memcpy(&version, bytes.data() + 4, sizeof version);
  if constexpr (std::endian::native == std::endian::big) version = __builtin_bswap32(version);
  if (head.size() == bytes.size() && (version < kOldestVersion || version > kNewestVersion))
    return input_error(
        fmt::format("model {}: GGUF version {}, wanted {} to {}; convert the model again",
                    path.string(), version, kOldestVersion, kNewestVersion));
  return {};
}

}  // namespace

base::Result<Gguf> read_gguf(const std::filesystem::path& path) {
  TARE_TRY(const std::uint64_t size, size_of(path));
  TARE_CHECK(check_header(path));
  const LogCapture log;
  Gguf gguf(gguf_init_from_file(path.string().c_str(), {.no_alloc = true, .ctx = nullptr}));
  if (!gguf)
    return input_error(fmt::format("model {}: damaged GGUF file of {} bytes ({}); fetch it again",
                                   path.string(), size, log.first_error()));
  return gguf;
}

}  // namespace tare::backend::llama
