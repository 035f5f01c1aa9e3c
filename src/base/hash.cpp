#include "base/hash.h"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <array>

#include "base/files.h"

namespace tare::base {

struct Sha256::State {
  struct Free {
    void operator()(EVP_MD_CTX* done) const { EVP_MD_CTX_free(done); }
  };
  std::unique_ptr<EVP_MD_CTX, Free> context{EVP_MD_CTX_new()};
};

Sha256::Sha256() : state_(std::make_unique<State>()) {
  EVP_DigestInit_ex(state_->context.get(), EVP_sha256(), nullptr);
}
Sha256::~Sha256() = default;
Sha256::Sha256(Sha256&&) noexcept = default;
Sha256& Sha256::operator=(Sha256&&) noexcept = default;

void Sha256::update(std::string_view bytes) {
  EVP_DigestUpdate(state_->context.get(), bytes.data(), bytes.size());
}

std::string Sha256::hex() {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned length = 0;
  EVP_DigestFinal_ex(state_->context.get(), digest.data(), &length);
  std::string out;
  for (unsigned i = 0; i < length; ++i) out += fmt::format("{:02x}", digest[i]);
  return out;
}

std::string sha256_hex(std::string_view bytes) {
  Sha256 hash;
  hash.update(bytes);
  return hash.hex();
}

Result<std::string> sha256_file(const std::filesystem::path& path) {
  Sha256 hash;
  TARE_CHECK(read_chunks(path, [&](std::string_view chunk) { hash.update(chunk); }));
  return hash.hex();
}

}  // namespace tare::base
