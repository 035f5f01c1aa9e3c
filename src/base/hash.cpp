#include "base/hash.h"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <array>
#include <system_error>

#include "base/files.h"

namespace tare::base {

namespace {

struct Free {
  void operator()(EVP_MD_CTX* done) const { EVP_MD_CTX_free(done); }
};
using Context = std::unique_ptr<EVP_MD_CTX, Free>;

Context begin(const EVP_MD* kind) {
  Context context(EVP_MD_CTX_new());
  EVP_DigestInit_ex(context.get(), kind, nullptr);
  return context;
}

void add(const Context& context, std::string_view bytes) {
  EVP_DigestUpdate(context.get(), bytes.data(), bytes.size());
}

std::string finish(const Context& context) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned length = 0;
  EVP_DigestFinal_ex(context.get(), digest.data(), &length);
  std::string out;
  for (unsigned i = 0; i < length; ++i) out += fmt::format("{:02x}", digest[i]);
  return out;
}

}  // namespace

struct Sha256::State {
  Context context = begin(EVP_sha256());
};

Sha256::Sha256() : state_(std::make_unique<State>()) {}
Sha256::~Sha256() = default;
Sha256::Sha256(Sha256&&) noexcept = default;
Sha256& Sha256::operator=(Sha256&&) noexcept = default;

void Sha256::update(std::string_view bytes) {
  add(state_->context, bytes);
}

std::string Sha256::hex() {
  return finish(state_->context);
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

Result<std::string> git_blob_sha1(const std::filesystem::path& path) {
  std::error_code error;
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  if (error)
    return input_error(fmt::format("{}: cannot be read: {}", path.string(), error.message()));
  const Context context = begin(EVP_sha1());
  add(context, fmt::format("blob {}", size));
  add(context, std::string_view("\0", 1));
  TARE_CHECK(read_chunks(path, [&](std::string_view chunk) { add(context, chunk); }));
  return finish(context);
}

}  // namespace tare::base
