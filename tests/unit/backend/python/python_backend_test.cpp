#include "backend/python/python_backend.h"

#include <doctest/doctest.h>

#include <map>

#include "backend/python/environment.h"
#include "backend/python/weights_hash.h"
#include "base/hash.h"
#include "fake.h"

namespace tare::backend::python {
namespace {

Options options_of(const FakeModel& model) {
  Options options;
  options.path = model.folder();
  options.interpreter = fake_interpreter();
  options.cache = model.folder() / "cache";
  options.item_limit = std::chrono::seconds(3);
  return options;
}

std::unique_ptr<Backend> opened(const Options& options) {
  auto backend = open(options);
  if (!backend) FAIL(backend.error().text);
  return std::move(*backend);
}

TEST_CASE("a backend says what it is and what it can, as its worker told") {
  const FakeModel model(
      R"({"hello": {"capabilities": {"score": false, "generate": true}, "context_length": 64}})");
  Options options = options_of(model);
  options.engine = "hf-pipeline";
  const auto backend = opened(options);
  const Capabilities can = backend->capabilities();
  CHECK_FALSE(can.loglikelihood);
  CHECK(can.generation);
  CHECK(can.own_defaults);
  CHECK(can.token_ids);
  CHECK(can.context_length == 64);
  const Identity identity = backend->identity();
  CHECK(identity.backend == "hf-pipeline");
  CHECK(identity.version == "transformers 0.0, torch 0.0");
  CHECK(identity.model_name == model.folder().filename().string());
  CHECK(identity.weights_sha256.size() == 64);
  CHECK(*identity.settings.find("dtype") == base::Value("float32"));
  CHECK(*identity.circumstances.find("timeout_seconds") == base::Value(3));
  CHECK(*identity.generation_defaults.find("max_length") == base::Value(20));
  CHECK(backend->tokenizer().prefix_token() == core::Token{256});
}

TEST_CASE("each item has its outcome under its own id, whatever the batch") {
  const FakeModel model(R"({"when": {"bad": "refuse_item", "awful": "die"}})");
  for (const std::size_t batch : {1, 2, 5}) {
    CAPTURE(batch);
    Options options = options_of(model);
    options.batch = batch;
    const auto backend = opened(options);
    const std::vector<ScoreItem> items{score_item(7, "one"), score_item(3, "an awful text"),
                                       score_item(5, "three", 3)};
    std::map<std::size_t, std::string> seen;
    const auto status = backend->score(items,
                                       [&](std::span<const ScoreResult> results) {
                                         for (const ScoreResult& result : results)
                                           seen[result.id] = result.value
                                                                 ? std::to_string(result.value->sum)
                                                                 : result.value.error().reason;
                                       },
                                       {});
    REQUIRE(status);
    CHECK(seen == std::map<std::size_t, std::string>{
                      {7, "-0.500000"},
                      {3, "the model worker failed on it 2 times: it ended with exit code 7"},
                      {5, "-0.750000"}});
    CHECK(backend->computed().inputs > 0);
  }
}

TEST_CASE("items with other settings are not asked together") {
  const FakeModel model("{}");
  Options options = options_of(model);
  options.batch = 8;
  const auto backend = opened(options);
  const core::GenerationSettings other;
  std::vector<GenerateItem> items{generate_item(0, "abc"), generate_item(1, "def"),
                                  generate_item(2, "ghi")};
  items[2].settings = &other;
  std::vector<std::size_t> sizes;
  REQUIRE(backend->generate(
      items, [&](std::span<const GenerateResult> results) { sizes.push_back(results.size()); },
      {}));
  CHECK(sizes == std::vector<std::size_t>{2, 1});
  CHECK(backend->computed().generated == 9);
}

TEST_CASE("a text that its tokenizer could not take stops the work before it begins") {
  const FakeModel model(R"({"when_text": {"bad": "die"}})");
  const auto backend = opened(options_of(model));
  CHECK(backend->tokenizer().encode("good", true).size() == 4);
  CHECK(backend->tokenizer().status());
  CHECK(backend->tokenizer().encode("bad", true).empty());
  CHECK_FALSE(backend->tokenizer().status());
  const ScoreItem item = score_item(0, "good");
  const auto status = backend->score({&item, 1}, [](auto) {}, {});
  REQUIRE_FALSE(status);
  CHECK(status.error().text == "the model worker failed on a text: it ended with exit code 7");
}

TEST_CASE("texts that are foreseen are asked for together") {
  const FakeModel model(R"({"when_text": {"bad": "die", "wrong": "wrong_count"}})");
  const auto backend = opened(options_of(model));
  const core::Tokenizer& tokenizer = backend->tokenizer();
  REQUIRE(tokenizer.foresight() > 4);
  const std::vector<core::ForeseenText> texts{
      {"one", true}, {"two", false}, {"one", true}, {"three", true}, {"", true}};
  tokenizer.foresee(texts);
  const std::size_t asked = model.requests("tokenize");
  CHECK(asked == 2);  // with special tokens, and without
  CHECK(tokenizer.encode("one", true) == std::vector<core::Token>{'o', 'n', 'e'});
  CHECK(tokenizer.encode("two", false) == std::vector<core::Token>{'t', 'w', 'o'});
  CHECK(tokenizer.encode("", true).empty());
  tokenizer.foresee(texts);
  CHECK(model.requests("tokenize") == asked);
  for (const char* one : {"wrong", "bad"}) {
    tokenizer.foresee(std::vector<core::ForeseenText>{{one, true}, {"four", true}});
    CHECK(tokenizer.encode("four", true).size() == 4);  // it stays with the one that is to blame
    CHECK(tokenizer.status());
  }
  CHECK(tokenizer.encode("bad", true).empty());
  CHECK_FALSE(tokenizer.status());
}

TEST_CASE("a tokenizer alone lives as long as it is held") {
  const FakeModel model(R"({"hello": {"context_length": 9}})");
  auto tokenizer = open_tokenizer(options_of(model));
  REQUIRE(tokenizer);
  CHECK(tokenizer->context_length == 9);
  CHECK(tokenizer->tokenizer->encode("xyz", false) == std::vector<core::Token>{'x', 'y', 'z'});
  CHECK(tokenizer->tokenizer->decode(std::vector<core::Token>{'x'}, false) == "x");
}

TEST_CASE("weights that are none are refused before anything starts") {
  const test::TempDir dir;
  const std::string name = dir.path().string();
  const auto fault = [&](const std::filesystem::path& path) {
    return check_weights(path).error().text;
  };
  CHECK(fault(dir.path() / "none") ==
        "model " + name +
            "/none: no such file or folder; wanted a folder with config.json and *.safetensors, or "
            "a GGUF file");
  const std::string wanted = "; wanted a folder with config.json and *.safetensors, or a GGUF file";
  CHECK(fault(dir.path()) == "model " + name + ": it holds no config.json" + wanted);
  dir.write("config.json", "{}");
  CHECK(fault(dir.path()) == "model " + name + ": it holds no *.safetensors" + wanted);
  dir.write("pytorch_model.bin", "pickled");
  CHECK_FALSE(check_weights(dir.path()));
  dir.write("model.safetensors", "");
  CHECK(check_weights(dir.path()));
}

TEST_CASE("the hash of a folder is that of what decides numbers, by name") {
  const test::TempDir dir;
  dir.write("config.json", "{}");
  dir.write("model.safetensors", "w");
  const auto before = weights_hash(dir.path());
  REQUIRE(before);
  CHECK(*before == base::sha256_hex(base::sha256_hex("{}") + "  config.json\n" +
                                    base::sha256_hex("w") + "  model.safetensors\n"));
  dir.write("README.md", "words");
  CHECK(*weights_hash(dir.path()) == *before);
  dir.write("generation_config.json", R"({"temperature": 0.6})");
  CHECK(*weights_hash(dir.path()) != *before);
  const auto file = dir.write("m.gguf", "GGUF");
  CHECK(*weights_hash(file) == base::sha256_hex("GGUF"));
}

TEST_CASE("the name of a model is its folder's or its file's") {
  CHECK(model_name("a/b/model-f32.gguf") == "model-f32");
  CHECK(model_name("a/Model-1.5B/") == "Model-1.5B");
  CHECK(model_name("Model-1.5B") == "Model-1.5B");
}

TEST_CASE("an environment is named after its pins and there once it is complete") {
  const test::TempDir dir;
  const Environment hf = find_environment("hf", dir.path());
  CHECK(hf.folder.filename().string().starts_with("python-hf-"));
  CHECK(hf.folder.filename().string().size() == std::string("python-hf-").size() + 12);
  CHECK_FALSE(hf.complete);
  CHECK(installed_packages(hf).empty());
  CHECK(find_environment("vllm", dir.path()).folder != hf.folder);
  const std::string folder = hf.folder.filename().string() + "/";
  dir.write(folder + "packages.txt", "torch==1.0\ngguf==2.0\n");
  dir.write(folder + "tare-complete", "");
  CHECK(installed_packages(find_environment("hf", dir.path())) ==
        std::vector<std::string>{"torch==1.0", "gguf==2.0"});
  CHECK(environment_of("langchain-hf") == "hf");
  CHECK(environment_of("vllm") == "vllm");
}

TEST_CASE("an environment that cannot be made leaves none behind") {
  const test::TempDir dir;
  const Environment hf = find_environment("hf", dir.path() / "cache");
  const auto status = install(hf, "/bin/false", {});
  REQUIRE_FALSE(status);
  CHECK(status.error().text.starts_with(
      "the Python environment hf was not made: it ended with exit code 1"));
  CHECK_FALSE(find_environment("hf", dir.path() / "cache").complete);
}

}  // namespace
}  // namespace tare::backend::python
