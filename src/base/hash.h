#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"

namespace tare::base {

/// SHA-256 over text given in pieces.
class Sha256 {
 public:
  Sha256();
  ~Sha256();
  Sha256(Sha256&&) noexcept;
  Sha256& operator=(Sha256&&) noexcept;
  void update(std::string_view bytes);
  /// 64 hexadecimal digits; the object is used up.
  std::string hex();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

std::string sha256_hex(std::string_view bytes);
Result<std::string> sha256_file(const std::filesystem::path& path);

/// The name that git gives to a file's content: SHA-1 over "blob SIZE", a zero byte, and the bytes.
Result<std::string> git_blob_sha1(const std::filesystem::path& path);

}  // namespace tare::base
