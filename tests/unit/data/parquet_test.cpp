#include "data/parquet.h"

#include <dlfcn.h>
#include <doctest/doctest.h>
#include <openssl/evp.h>

#include <string>

#include "base/json.h"
#include "data/dataset.h"
#include "plain.h"
#include "support/support.h"

namespace tare::data {
namespace {

using base::Value;

std::string bytes_of(const Value& test) {
  const std::string& hex = test.find("hex")->as_string();
  std::string bytes;
  for (std::size_t i = 0; i < hex.size(); i += 2)
    bytes += static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16));
  return bytes;
}

void check_batch(const Batch& batch, const Value& test) {
  base::List columns;
  for (const Field& field : batch.schema.fields) columns.push_back(field.name);
  CHECK(base::json::dump(columns) == base::json::dump(*test.find("columns")));
  CHECK(base::json::dump(test::plain(Value(batch.rows))) == base::json::dump(*test.find("rows")));
  const auto& left_out = test.find("left_out")->items();
  REQUIRE(batch.left_out.size() == left_out.size());
  for (std::size_t i = 0; i < left_out.size(); ++i)
    CHECK(batch.left_out[i].rfind(left_out[i].as_string() + ": ", 0) == 0);
}

TEST_CASE("Parquet as pyarrow reads it") {
  if (!parquet_available()) return test::skip("a build with Parquet");
  const Value cases = test::load_cases("data/parquet.json");
  for (const Value& test : cases.find("cases")->items()) {
    CAPTURE(test.find("name")->as_string());
    const auto batch = read_parquet_table(bytes_of(test), "x.parquet");
    if (const Value* error = test.find("error")) {
      REQUIRE(!batch);
      CHECK(batch.error().text.find(error->as_string()) != std::string::npos);
    } else {
      REQUIRE_MESSAGE(batch, (batch ? "" : batch.error().text));
      check_batch(*batch, test);
    }
  }
}

TEST_CASE("a Parquet file that is cut or damaged is an error or rows, never a crash") {
  if (!parquet_available()) return test::skip("a build with Parquet");
  const Value cases = test::load_cases("data/parquet.json");
  for (const Value& test : cases.find("cases")->items()) {
    const std::string whole = bytes_of(test);
    for (std::size_t length = 0; length < whole.size(); length += 97)
      CHECK(!read_parquet_table(whole.substr(0, length), "x.parquet"));
    for (std::size_t at = 4; at < whole.size(); at += 13) {
      std::string damaged = whole;
      damaged[at] = static_cast<char>(damaged[at] ^ 0x15);
      const auto batch = read_parquet_table(damaged, "x.parquet");
      CHECK((batch || !batch.error().text.empty()));
    }
  }
}

TEST_CASE("a file that is no Parquet is named with the reason") {
  const auto batch = read_parquet_table("not parquet at all", "dir/x.parquet");
  REQUIRE(!batch);
  CHECK(batch.error().text.rfind("dir/x.parquet: ", 0) == 0);
  CHECK(batch.error().text.find('\n') == std::string::npos);
  CHECK(batch.error().kind == base::ErrorKind::input);
}

// The system's libcrypto must win over the one that libparquet exports (cmake/Arrow.cmake).
TEST_CASE("OpenSSL comes from the system") {
  Dl_info info{};
  REQUIRE(dladdr(reinterpret_cast<void*>(&EVP_sha256), &info) != 0);
  CHECK(std::string(info.dli_fname).find("libcrypto") != std::string::npos);
}

}  // namespace
}  // namespace tare::data
