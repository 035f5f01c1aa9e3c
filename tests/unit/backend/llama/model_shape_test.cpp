#include "backend/llama/model_shape.h"

#include <doctest/doctest.h>

#include "gguf_writer.h"
#include "support/support.h"

namespace tare::backend::llama {
namespace {

using test::GgufWriter;

struct Tensor {
  std::string name;
  std::vector<std::uint64_t> sizes;
};

/// The header of a file of float32 tensors.
std::string header(const std::vector<std::pair<std::string, std::uint32_t>>& numbers,
                   const std::vector<Tensor>& tensors) {
  GgufWriter writer;
  writer.header(3, tensors.size(), numbers.size() + 1).text_entry("general.architecture", "toy");
  for (const auto& [key, value] : numbers) writer.u32_entry("toy." + key, value);
  std::uint64_t offset = 0;
  for (const auto& [name, sizes] : tensors) {
    writer.put(name).put(static_cast<std::uint32_t>(sizes.size()));
    std::uint64_t bytes = sizeof(float);
    for (const std::uint64_t size : sizes) {
      writer.put(size);
      bytes *= size;
    }
    writer.put(std::uint32_t{0}).put(offset);
    offset += (bytes + 31) / 32 * 32;
  }
  return writer.data(offset).bytes();
}

base::Result<core::ModelShape> shape_of(const std::string& bytes) {
  const test::TempDir folder;
  return read_shape(folder.write("m.gguf", bytes));
}

/// A layer as in SmolLM2 and Gemma-3, without its vectors but one.
void add_layer(std::vector<Tensor>& tensors, std::uint64_t width, std::uint64_t heads,
               std::uint64_t keys, std::uint64_t inner) {
  tensors.push_back({"blk.0.attn_norm.weight", {width}});
  tensors.push_back({"blk.0.attn_q.weight", {width, heads}});
  tensors.push_back({"blk.0.attn_k.weight", {width, keys}});
  tensors.push_back({"blk.0.attn_v.weight", {width, keys}});
  tensors.push_back({"blk.0.attn_output.weight", {heads, width}});
  tensors.push_back({"blk.0.ffn_gate.weight", {width, inner}});
  tensors.push_back({"blk.0.ffn_up.weight", {width, inner}});
  tensors.push_back({"blk.0.ffn_down.weight", {inner, width}});
}

}  // namespace

TEST_CASE("a layer of SmolLM2-135M, whose heads share the width") {
  std::vector<Tensor> tensors{{"token_embd.weight", {576, 49152}}};
  add_layer(tensors, 576, 576, 192, 1536);
  const auto shape = shape_of(header(
      {{"block_count", 1}, {"embedding_length", 576}, {"attention.head_count", 9}}, tensors));
  REQUIRE_MESSAGE(shape.has_value(), shape.error().text);
  // 2·576·576 + 2·576·192 + 3·576·1536; 30 such layers are 106168320.
  CHECK(shape->layer_weights == 3'538'944);
  CHECK(shape->projection_weights == 28'311'552);  // the table of both ends, 576·49152
  CHECK(shape->attention_width == 9 * (64 + 64));
}

TEST_CASE("a layer of Gemma-3-270m, whose heads are wider than the model") {
  std::vector<Tensor> tensors{{"token_embd.weight", {640, 262144}}};
  add_layer(tensors, 640, 1024, 256, 2048);
  const auto shape = shape_of(header({{"block_count", 1},
                                      {"embedding_length", 640},
                                      {"attention.head_count", 4},
                                      {"attention.key_length", 256},
                                      {"attention.value_length", 256}},
                                     tensors));
  REQUIRE_MESSAGE(shape.has_value(), shape.error().text);
  // 2·640·1024 + 2·640·256 + 3·640·2048; 18 such layers are 100270080.
  CHECK(shape->layer_weights == 5'570'560);
  CHECK(shape->projection_weights == 167'772'160);  // 640·262144
  CHECK(shape->attention_width == 4 * (256 + 256));
}

TEST_CASE("of experts only those that are chosen count, and an output table of its own") {
  const auto shape = shape_of(header({{"block_count", 1},
                                      {"embedding_length", 8},
                                      {"attention.head_count", 2},
                                      {"expert_count", 16},
                                      {"expert_used_count", 2}},
                                     {{"token_embd.weight", {8, 100}},
                                      {"output.weight", {8, 120}},
                                      {"blk.0.ffn_gate_inp.weight", {8, 16}},
                                      {"blk.0.ffn_up_exps.weight", {8, 4, 16}}}));
  REQUIRE_MESSAGE(shape.has_value(), shape.error().text);
  CHECK(shape->layer_weights == 8 * 16 + 8 * 4 * 2);
  CHECK(shape->projection_weights == 8 * 120);
}

TEST_CASE("a shape that does not tell the work is unknown") {
  const std::vector<Tensor> table{{"token_embd.weight", {8, 100}}};
  const auto headless = shape_of(header({{"block_count", 1}, {"embedding_length", 8}}, table));
  REQUIRE_FALSE(headless.has_value());
  CHECK(headless.error().text.ends_with(
      "its header has no toy.attention.head_count, wanted a number above 0"));
  const auto recurrent =
      shape_of(header({{"block_count", 1}, {"embedding_length", 8}, {"attention.head_count", 2}},
                      {{"token_embd.weight", {8, 100}}, {"blk.0.ssm_in.weight", {8, 8}}}));
  REQUIRE_FALSE(recurrent.has_value());
  CHECK(recurrent.error().text.ends_with(
      "has recurrent layers (blk.0.ssm_in.weight), whose work is not counted"));
}

}  // namespace tare::backend::llama
