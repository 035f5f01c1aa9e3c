#include "backend/llama/quantize.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>

#include "support/support.h"

namespace tare::backend::llama {
namespace {

namespace fs = std::filesystem;

std::string error_of(const base::Result<Quantized>& result) {
  return result ? "" : result.error().text;
}

TEST_CASE("an unknown type is refused with the nearest and all known ones") {
  const auto status = quantize("in.gguf", "out.gguf", {.type = "Q4_K_N"});
  CHECK(error_of(status).starts_with("type 'Q4_K_N' is unknown; did you mean Q4_K_M"));
  CHECK(error_of(status).ends_with("Q1_0, COPY"));
  CHECK(status.error().kind == base::ErrorKind::usage);
}

TEST_CASE("known types are spelled as in file names") {
  const auto types = quantize_types();
  for (const char* name : {"F32", "F16", "BF16", "Q8_0", "Q4_0", "Q4_1", "Q5_K_M", "Q4_K_M"})
    CHECK(std::ranges::find(types, name) != types.end());
}

TEST_CASE("formats that llama.cpp would end the program at are refused with --pure") {
  const auto status = quantize("in.gguf", "out.gguf", {.type = "IQ1_S", .pure = true});
  CHECK(error_of(status).starts_with("type IQ1_S: --pure would need an importance matrix"));
  CHECK(error_of(quantize("in.gguf", "out.gguf", {.type = "Q4_K", .pure = true})) ==
        "model in.gguf: no such file; wanted a GGUF file");
}

TEST_CASE("the input is checked first; no output appears") {
  const test::TempDir folder;
  const fs::path input = folder.write("in.gguf", "GGML not this one");
  const fs::path output = folder.path() / "out.gguf";
  const auto status = quantize(input, output, {.type = "f32"});
  CHECK(error_of(status).find("not a GGUF file") != std::string::npos);
  CHECK_FALSE(fs::exists(output));
}

}  // namespace
}  // namespace tare::backend::llama
