#include "backend/llama/weights_hash.h"

#include <fstream>
#include <vector>

#include "base/hash.h"

namespace tare::backend::llama {
namespace {

constexpr std::size_t kPiece = 1U << 20;

std::string hash_file(const std::filesystem::path& path, const std::stop_token& stop) {
  std::ifstream file(path, std::ios::binary);
  std::vector<char> piece(kPiece);
  base::Sha256 hash;
  while (file && !stop.stop_requested()) {
    file.read(piece.data(), static_cast<std::streamsize>(piece.size()));
    hash.update({piece.data(), static_cast<std::size_t>(file.gcount())});
  }
  return file.eof() ? hash.hex() : "";
}

}  // namespace

WeightsHash::WeightsHash(std::filesystem::path path, std::string known) {
  std::promise<std::string> promise;
  result_ = promise.get_future().share();
  if (!known.empty()) {
    promise.set_value(std::move(known));
    return;
  }
  worker_ = std::jthread(
      [path = std::move(path), promise = std::move(promise)](const std::stop_token& stop) mutable {
        promise.set_value(hash_file(path, stop));
      });
}

}  // namespace tare::backend::llama
