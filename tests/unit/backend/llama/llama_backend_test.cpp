#include "backend/llama/llama_backend.h"

#include <doctest/doctest.h>

#include <chrono>
#include <cmath>
#include <random>

#include "backend/llama/quantize.h"
#include "base/hash.h"
#include "models.h"
#include "support/support.h"

namespace tare::backend::llama {
namespace {

namespace fs = std::filesystem;

/// The small file, opened once for all tests here.
LlamaBackend* demo_model() {
  static const std::unique_ptr<LlamaBackend> model = []() -> std::unique_ptr<LlamaBackend> {
    const auto file = test::model_file("q4_1");
    if (!file) return nullptr;
    Options options;
    options.path = *file;
    options.threads = 1;
    options.prober = TIER_PROBER;
    return test::open_model(options);
  }();
  return model.get();
}

ScoreItem pair(const core::Tokenizer& tokenizer, std::size_t id, const std::string& context,
               const std::string& continuation) {
  return {id, tokenizer.encode(context + continuation, true),
          tokenizer.encode(context, true).size()};
}

TEST_CASE("a likely continuation beats an unlikely one, and greedy says which is the argmax") {
  LlamaBackend* model = demo_model();
  if (model == nullptr) return;
  const auto& tokenizer = model->tokenizer();
  const std::string context = "The capital of France is the city of";
  const auto scores = test::score(*model, std::vector{pair(tokenizer, 0, context, " Paris"),
                                                      pair(tokenizer, 1, context, " potato")});
  CHECK(scores.at(0).sum > scores.at(1).sum + 3);
  CHECK(scores.at(0).greedy);
  CHECK_FALSE(scores.at(1).greedy);
  CHECK(scores.at(0).sum < 0);
}

TEST_CASE("what is planned from the start is what the work comes to") {
  LlamaBackend* model = demo_model();
  if (model == nullptr) return;
  const auto& tokenizer = model->tokenizer();
  const Computed before = model->computed();
  std::vector<ScoreItem> items;
  for (std::size_t i = 0; i < 60; ++i)
    items.push_back(pair(tokenizer, i, "Question " + std::to_string(i / 4) + " of this test asks",
                         " number " + std::to_string(i)));
  test::score(*model, items);
  const Computed after = model->computed();
  CHECK(after.planned - before.planned > 100);
  CHECK((after.work - before.work) / (after.planned - before.planned) ==
        doctest::Approx(1).epsilon(0.1));
  // 49,152 times 576 weights over 30 layers of 3.54 million.
  CHECK(after.projection == doctest::Approx(0.2667).epsilon(0.001));
}

TEST_CASE("the log-likelihood of a text is the sum over its parts") {
  LlamaBackend* model = demo_model();
  if (model == nullptr) return;
  const auto tokens =
      model->tokenizer().encode("One two three four five six seven eight nine ten", true);
  REQUIRE(tokens.size() >= 8);
  const std::vector<core::Token> head(tokens.begin(), tokens.begin() + 5);
  const auto scores =
      test::score(*model, std::vector<ScoreItem>{{0, tokens, 1}, {1, head, 1}, {2, tokens, 5}});
  CHECK(scores.at(0).sum == doctest::Approx(scores.at(1).sum + scores.at(2).sum).epsilon(1e-12));
}

TEST_CASE("the tokenizer reads special tokens as such, and knows its prefix token") {
  LlamaBackend* model = demo_model();
  if (model == nullptr) return;
  const auto& tokenizer = model->tokenizer();
  // Facts of SmolLM2's tokenizer.json: <|im_start|> = 1 = BOS, <|im_end|> = 2; no BOS is added.
  CHECK(tokenizer.encode("<|im_start|>", true) == std::vector<core::Token>{1});
  CHECK(tokenizer.encode("<|im_end|>", false) == std::vector<core::Token>{2});
  CHECK(tokenizer.encode("", true).empty());
  CHECK(tokenizer.prefix_token() == 1);
  CHECK(tokenizer.prefix_text() == "<|im_start|>");
  CHECK(tokenizer.encode(std::string("a\0b", 3), true).size() >= 2);
  CHECK(tokenizer.encode(std::string(3000, '!'), true).size() > 10);
}

TEST_CASE("bytes that are no text are tokenised without a fault") {
  LlamaBackend* model = demo_model();
  if (model == nullptr) return;
  std::mt19937 random(11);
  CHECK_FALSE(model->tokenizer().encode("\xed\xa0\x80", true).empty());
  for (int round = 0; round < 500; ++round) {
    std::string bytes(random() % 60, '\0');
    for (char& byte : bytes) byte = static_cast<char>(random());
    CHECK(model->tokenizer().encode(bytes, true).size() <= 4 * bytes.size());
  }
}

TEST_CASE("identity and capabilities tell what answers") {
  LlamaBackend* model = demo_model();
  if (model == nullptr) return;
  const Identity identity = model->identity();
  CHECK(identity.backend == "llama.cpp");
  CHECK(identity.version == version());
  CHECK(identity.model_name == "smollm2-135m-instruct-q4_1");
  CHECK(identity.weights_sha256 == base::sha256_file(identity.model_path).value());
  CHECK(identity.settings.find("flash_attention")->as_string() == "off");
  CHECK(identity.settings.find("cpu_library_sha256")->as_string().size() == 64);
  CHECK(model->capabilities().context_length == 8192);
  CHECK(model->capabilities().loglikelihood);
}

TEST_CASE("items that cannot be scored are refused with numbers, before any work") {
  LlamaBackend* model = demo_model();
  if (model == nullptr) return;
  const auto refusal = [&](const ScoreItem& item) {
    const auto before = model->counters().decodes;
    const auto status = model->score({&item, 1}, [](auto) { FAIL("nothing may be scored"); }, {});
    CHECK(model->counters().decodes == before);
    REQUIRE_FALSE(status.has_value());
    return status.error().text;
  };
  CHECK(refusal({7, {1, 2, 3}, 0}) == "item 7: scores tokens from 0 of 3; wanted 1 to 2");
  CHECK(refusal({7, {1, 2, 3}, 3}) == "item 7: scores tokens from 3 of 3; wanted 1 to 2");
  CHECK(refusal({7, {}, 1}) == "item 7: scores tokens from 1 of 0; wanted 1 to 0");
  CHECK(refusal({7, {1, 49152}, 1}) == "item 7: token 49152 is outside the vocabulary of 49152");
  CHECK(refusal({7, {1, -1}, 1}) == "item 7: token -1 is outside the vocabulary of 49152");
  CHECK(refusal({7, std::vector<core::Token>(8194, 1), 1}) ==
        "item 7: has 8193 input tokens, the context holds 8192");
}

TEST_CASE("a stop is honoured between decodes, and the next call is right") {
  LlamaBackend* model = demo_model();
  if (model == nullptr) return;
  std::vector<ScoreItem> items;
  std::string context = "Row";
  for (std::size_t i = 0; i < 4; ++i) {
    for (int word = 0; word < 20; ++word) context += " stone";
    items.push_back(pair(model->tokenizer(), i, std::to_string(i) + context, " and sand"));
  }
  const auto wanted = test::score(*model, items);
  std::stop_source source;
  std::size_t seen = 0;
  const auto status = model->score(
      items,
      [&](auto results) {
        seen += results.size();
        source.request_stop();
      },
      source.get_token());
  REQUIRE_FALSE(status.has_value());
  CHECK(status.error().kind == base::ErrorKind::interrupted);
  CHECK(seen > 0);
  CHECK(seen < items.size());
  for (const auto& [id, value] : test::score(*model, items)) CHECK(value.sum == wanted.at(id).sum);
}

TEST_CASE("no items are no work") {
  LlamaBackend* model = demo_model();
  if (model == nullptr) return;
  CHECK(test::score(*model, {}).empty());
}

std::string open_error(const Options& options) {
  const auto opened = open(options);
  return opened ? "" : opened.error().text;
}

TEST_CASE("wrong options are refused with the value found and those wanted") {
  const auto file = test::model_file("q4_1");
  if (!file) return;
  Options options;
  options.path = *file;
  options.streams = 0;
  CHECK(open_error(options) == "streams=0: wanted a number from 1 to 64");
  options.streams = 4;
  options.rows = 100;
  CHECK(open_error(options) == "rows=100: wanted a multiple of 8 from 8 to 8192");
  options.rows = 64;
  options.shape.tile = 12;
  CHECK(open_error(options) == "tile=12: wanted a multiple of 8 from 8 to 64");
  options.shape = {.tile = 8, .grain = 3};
  CHECK(open_error(options) == "grain=3: wanted a divisor of tile=8");
  options.shape.grain = 8;
  options.gpu_layers = -1;
  CHECK(open_error(options) == "gpu_layers=-1: wanted 0 or more");
  options.gpu_layers = 0;
  options.cpu_tier = "pentium";
  CHECK(open_error(options).starts_with("CPU tier 'pentium' is unknown"));
}

TEST_CASE("a GGUF file that holds no known model is one line") {
  const test::TempDir folder;
  const auto file = test::model_file("q4_1");
  if (!file) return;
  const fs::path cut = folder.path() / "cut.gguf";
  fs::copy_file(*file, cut);
  fs::resize_file(cut, fs::file_size(*file) - 1000);
  Options options;
  options.path = cut;
  CHECK(open_error(options) ==
        "model " + cut.string() + ": cut off: has " + std::to_string(fs::file_size(cut)) +
            " bytes, its tensors need " + std::to_string(fs::file_size(*file)) +
            "; fetch or copy it again");
}

TEST_CASE("quantize writes a whole file or none, and the model it writes answers alike") {
  const auto file = test::model_file("q4_1");
  LlamaBackend* model = demo_model();
  if (!file || model == nullptr) return;
  const test::TempDir folder;
  const fs::path output = folder.path() / "q8.gguf";
  const auto written = quantize(*file, output, {.type = "q8_0"});
  REQUIRE(written.has_value());
  CHECK(written->type == "Q8_0");
  CHECK(written->bytes == fs::file_size(output));
  CHECK(written->bits_per_weight == doctest::Approx(8.5).epsilon(0.01));
  CHECK(written->sha256 == base::sha256_file(output));
  CHECK(written->coarse == std::vector<std::string>{"q8_0", "q4_1"});
  CHECK(std::distance(fs::directory_iterator(folder.path()), {}) == 1);
  const auto again = quantize(*file, output, {.type = "q8_0"});
  REQUIRE_FALSE(again.has_value());
  CHECK(again.error().text == output.string() + ": exists; remove it, or force it to be replaced");
  CHECK(quantize(output, output, {.type = "F16", .force = true}).error().text ==
        output.string() + ": is the input too; name another output file");
  Options options;
  options.path = output;
  options.threads = 1;
  options.prober = TIER_PROBER;
  const auto other = test::open_model(options);
  const std::vector items{pair(model->tokenizer(), 0, "The sky on a clear day is", " blue")};
  CHECK(test::score(*other, items).at(0).sum ==
        doctest::Approx(test::score(*model, items).at(0).sum).epsilon(0.1));
}

}  // namespace
}  // namespace tare::backend::llama
