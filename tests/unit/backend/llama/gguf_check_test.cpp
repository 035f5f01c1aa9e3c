#include "backend/llama/gguf_check.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <random>
#include <string>

#include "gguf_writer.h"
#include "support/support.h"

namespace tare::backend::llama {
namespace {

namespace fs = std::filesystem;
using test::GgufWriter;

std::string whole_file() {
  return GgufWriter()
      .header(3, 2, 1)
      .text_entry("general.architecture", "llama")
      .tensor("a", 8, 0)
      .tensor("b", 16, 32)
      .data(96)
      .bytes();
}

std::string check(const std::string& bytes) {
  const test::TempDir folder;
  const fs::path file = folder.write("m.gguf", bytes);
  const auto status = check_gguf(file);
  if (status) return "good";
  CHECK(status.error().kind == base::ErrorKind::input);
  CHECK(status.error().text.find('\n') == std::string::npos);
  const std::string subject = "model " + file.string() + ": ";
  REQUIRE(status.error().text.starts_with(subject));
  return status.error().text.substr(subject.size());
}

TEST_CASE("a whole file passes") {
  CHECK(check(whole_file()) == "good");
}

TEST_CASE("what is no model file is named for what it is") {
  CHECK(check("") == "not a GGUF file: it begins with \"\", wanted \"GGUF\"");
  CHECK(check("PK\x03\x04zip") ==
        "not a GGUF file: it begins with \"PK\\x03\\x04\", wanted \"GGUF\"");
  CHECK(check("GGU") == "not a GGUF file: it begins with \"GGU\", wanted \"GGUF\"");
  CHECK(check(GgufWriter().header(1, 0, 0).bytes()) ==
        "GGUF version 1, wanted 2 to 3; convert the model again");
  CHECK(check(GgufWriter().header(77, 0, 0).bytes()) ==
        "GGUF version 77, wanted 2 to 3; convert the model again");
  CHECK(check(GgufWriter().header(3, 0, 0).bytes()) ==
        "has no tensors; it may be a vocabulary alone");
}

TEST_CASE("a file cut off in its tensors is told by its sizes") {
  const std::string whole = whole_file();
  CHECK(check(whole.substr(0, whole.size() - 33)) ==
        "cut off: has " + std::to_string(whole.size() - 33) + " bytes, its tensors need " +
            std::to_string(whole.size()) + "; fetch or copy it again");
}

TEST_CASE("one part of several is refused") {
  const std::string part =
      GgufWriter().header(3, 1, 1).u16_entry("split.count", 4).tensor("a", 8, 0).data(32).bytes();
  CHECK(check(part) ==
        "one of 4 parts, wanted one whole file; join them with llama-gguf-split --merge");
}

TEST_CASE("damaged metadata is refused whatever is damaged") {
  const auto damaged = [](const std::string& bytes) {
    return check(bytes).starts_with("damaged GGUF file of ");
  };
  const std::string whole = whole_file();
  for (const std::size_t size : {4, 7, 8, 20, 24, 30, 60, 80}) {
    CAPTURE(size);
    CHECK(damaged(whole.substr(0, size)));
  }
  CHECK(damaged(GgufWriter().header(3, 1, ~0ULL).bytes()));
  CHECK(damaged(GgufWriter().header(3, ~0ULL >> 1, 0).bytes()));
  CHECK(damaged(GgufWriter().header(3, 1, 1).put(~0ULL).bytes()));
  CHECK(damaged(GgufWriter().header(3, 1, 0).tensor("a", ~0ULL >> 1, 0).data(32).bytes()));
  CHECK(damaged(GgufWriter().header(3, 1, 0).tensor(std::string(500, 'a'), 8, 0).data(32).bytes()));
  CHECK(
      damaged(GgufWriter().header(3, 2, 0).tensor("a", 8, 0).tensor("a", 8, 32).data(64).bytes()));
}

TEST_CASE("what is not there, or a folder, is named") {
  const auto missing = check_gguf("/no/such/model.gguf");
  REQUIRE_FALSE(missing.has_value());
  CHECK(missing.error().text == "model /no/such/model.gguf: no such file; wanted a GGUF file");
  const test::TempDir folder;
  const auto directory = check_gguf(folder.path());
  REQUIRE_FALSE(directory.has_value());
  CHECK(directory.error().text ==
        "model " + folder.path().string() + ": is a folder; name the GGUF file inside it");
}

TEST_CASE("random damage gives an answer, never a crash") {
  std::mt19937 random(7);
  const std::string whole = whole_file();
  for (int round = 0; round < 2000; ++round) {
    std::string bytes = whole;
    for (std::uint32_t hits = random() % 4 + 1; hits > 0; --hits)
      bytes[8 + random() % (bytes.size() - 8)] = static_cast<char>(random());
    if (random() % 3 == 0) bytes.resize(random() % bytes.size());
    CHECK_FALSE(check(bytes).empty());
  }
}

}  // namespace
}  // namespace tare::backend::llama
