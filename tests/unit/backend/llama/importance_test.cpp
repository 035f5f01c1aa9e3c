#include "backend/llama/importance.h"

#include <doctest/doctest.h>

#include <array>
#include <string>

#include "gguf_writer.h"
#include "support/support.h"

namespace tare::backend::llama {
namespace {

using test::GgufWriter;

/// The older format, field by field.
class OldFile {
 public:
  OldFile& number(std::int32_t value) {
    writer_.put(value);
    return *this;
  }
  OldFile& text(const std::string& text) {
    number(static_cast<std::int32_t>(text.size()));
    for (const char c : text) writer_.put(static_cast<std::uint8_t>(c));
    return *this;
  }
  OldFile& reals(std::span<const float> values) {
    number(static_cast<std::int32_t>(values.size()));
    for (const float value : values) writer_.put(std::bit_cast<std::uint32_t>(value));
    return *this;
  }
  [[nodiscard]] const std::string& bytes() const { return writer_.bytes(); }

 private:
  GgufWriter writer_;
};

OldFile two_tensors() {
  return OldFile()
      .number(2)
      .text("a.weight")
      .number(4)
      .reals(std::array{2.F, 8.F})
      .text("b.weight")
      .number(0)
      .reals(std::array{3.F});
}

/// As llama-imatrix writes it: two experts of two columns, the second one never asked.
GgufWriter gguf_file() {
  GgufWriter file;
  file.header(3, 2, 3)
      .texts_entry("imatrix.datasets", {"words.txt", "more.txt"})
      .u32_entry("imatrix.chunk_count", 7)
      .u32_entry("imatrix.chunk_size", 512);
  file.matrix("a.weight.in_sum2", 2, 2, 0).matrix("a.weight.counts", 1, 2, 32);
  return file;
}

std::string error_of(const std::string& bytes) {
  const test::TempDir folder;
  const auto path = folder.write("m.imatrix", bytes);
  const auto matrix = read_importance(path);
  if (matrix) return "";
  CHECK(matrix.error().kind == base::ErrorKind::input);
  const std::string subject = "importance matrix " + path.string() + ": ";
  REQUIRE(matrix.error().text.starts_with(subject));
  return matrix.error().text.substr(subject.size());
}

TEST_CASE("the older format: sums over calls, with or without what stands at the end") {
  const auto bare = parse_old_importance(two_tensors().bytes());
  REQUIRE(bare.has_value());
  CHECK(bare->columns.at("a.weight") == std::vector{0.5F, 2.F});
  CHECK(bare->columns.at("b.weight") == std::vector{3.F});
  CHECK(bare->chunks == 0);
  CHECK(bare->dataset.empty());
  const auto whole = parse_old_importance(two_tensors().number(12).text("words.txt").bytes());
  REQUIRE(whole.has_value());
  CHECK(whole->chunks == 12);
  CHECK(whole->dataset == "words.txt");
}

TEST_CASE("the GGUF format: means by expert, 1 where an expert was never asked") {
  const test::TempDir folder;
  GgufWriter file = gguf_file();
  const std::array<float, 10> data{4, 6, 9, 9, 0, 0, 0, 0, 2, 0};
  const auto matrix = read_importance(folder.write("m.gguf", file.data(data).data(24).bytes()));
  REQUIRE(matrix.has_value());
  CHECK(matrix->columns.at("a.weight") == std::vector{2.F, 3.F, 1.F, 1.F});
  CHECK(matrix->columns.size() == 1);
  CHECK(matrix->chunks == 7);
  CHECK(matrix->dataset == "words.txt");
}

TEST_CASE("what is no importance matrix is named for what it is") {
  CHECK(error_of("") == "ends 4 bytes too early");
  CHECK(error_of(OldFile().number(-3).bytes()) == "says that it has -3 tensors");
  CHECK(error_of(OldFile().number(1).number(-1).bytes()) ==
        "tensor 1 of 1: a length of -1, wanted 1 or more");
  const std::string whole = two_tensors().bytes();
  CHECK(error_of(whole.substr(0, whole.size() - 2)) == "tensor 2 of 2: ends 2 bytes too early");
  CHECK(error_of("GGUF").starts_with("damaged GGUF file"));
  CHECK(error_of(GgufWriter().header(3, 1, 0).tensor("a", 8, 0).data(32).bytes()) ==
        "has no imatrix.datasets, so that it is no importance matrix");
  GgufWriter counts;
  counts.header(3, 1, 3)
      .texts_entry("imatrix.datasets", {})
      .u32_entry("imatrix.chunk_count", 1)
      .u32_entry("imatrix.chunk_size", 1)
      .tensor("a.counts", 8, 0)
      .data(32);
  CHECK(error_of(counts.bytes()) == "tensor a: has sums without counts, or counts without sums");
}

TEST_CASE("a file that is not there") {
  const auto matrix = read_importance("nowhere.imatrix");
  REQUIRE_FALSE(matrix.has_value());
  CHECK(matrix.error().text.starts_with("importance matrix nowhere.imatrix: cannot be read: "));
}

}  // namespace
}  // namespace tare::backend::llama
