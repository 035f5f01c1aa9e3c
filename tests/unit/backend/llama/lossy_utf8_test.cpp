#include "backend/llama/lossy_utf8.h"

#include <doctest/doctest.h>

#include "support/support.h"

namespace tare::backend::llama {
namespace {

std::string bytes_of(const std::string& hex) {
  std::string bytes;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2)
    bytes += static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16));
  return bytes;
}

TEST_CASE("texts of lossy_utf8.json") {
  const base::Value file = test::load_cases("backend/lossy_utf8.json");
  for (const base::Value& entry : file.find("cases")->items()) {
    CAPTURE(entry.items()[0].as_string());
    CHECK(lossy_utf8(bytes_of(entry.items()[0].as_string())) == entry.items()[1].as_string());
  }
}

}  // namespace
}  // namespace tare::backend::llama
