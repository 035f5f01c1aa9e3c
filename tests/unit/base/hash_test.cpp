#include "base/hash.h"

#include <doctest/doctest.h>

#include "support/support.h"

namespace tare::base {
namespace {

// FIPS 180-4, and the examples that go with it.
constexpr std::string_view kOfNothing =
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
constexpr std::string_view kOfAbc =
    "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
constexpr std::string_view kOfAMillionAs =
    "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0";

TEST_CASE("SHA-256 of known texts") {
  CHECK(sha256_hex("") == kOfNothing);
  CHECK(sha256_hex("abc") == kOfAbc);
  CHECK(sha256_hex(std::string(1'000'000, 'a')) == kOfAMillionAs);
}

TEST_CASE("pieces make the same hash") {
  Sha256 hash;
  hash.update("a");
  hash.update("");
  Sha256 moved = std::move(hash);
  moved.update("bc");
  CHECK(moved.hex() == kOfAbc);
}

TEST_CASE("the hash of a file") {
  const test::TempDir dir;
  CHECK(sha256_file(dir.write("a", std::string(1'000'000, 'a'))) == std::string(kOfAMillionAs));
  CHECK(sha256_file(dir.write("empty", "")) == std::string(kOfNothing));
  const auto missing = sha256_file(dir.path() / "none");
  REQUIRE_FALSE(missing.has_value());
  CHECK(missing.error().text ==
        (dir.path() / "none").string() + ": cannot be read: No such file or directory");
}

}  // namespace
}  // namespace tare::base
