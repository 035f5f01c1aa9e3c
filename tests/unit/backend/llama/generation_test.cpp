#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <random>

#include "backend/llama/chat_source.h"
#include "models.h"
#include "support/support.h"

/// The promise of the pinned mode for answers: token for token the same whatever else is generated,
/// in which order, in which slot, beside how many streams, on how many threads.
namespace tare::backend::llama {
namespace {

using core::FinishReason;

constexpr const char* kBlock =
    "Q: What do plants take out of the air?\nA: carbon dioxide\n\nQ: How many sides has a "
    "triangle?\nA: three\n\nQ: Where does the sun rise?\nA: in the east\n\nQ: What is frozen water "
    "called?\nA: ice\n\n";

const std::vector<std::string>& prompts() {
  static const std::vector<std::string> list{
      std::string(kBlock) + "Q: What do bees make?\nA:",
      std::string(kBlock) + "Q: Which animal is the largest of all that live in the sea?\nA:",
      std::string(kBlock) + "Q: Which animal is the largest of all that live in the sea?\nA: The",
      std::string(kBlock) + "Q: Who wrote Hamlet?\nA:",
      "The harbour lay still under a thin layer of mist, and the boats",
      "Once upon a time there was a little robot who",
      "1, 1, 2, 3, 5, 8, 13,",
      "def factorial(n):\n",
      "Dear Sir,\n\nI am writing to",
      "The three largest cities of Europe are",
      "To make bread you need",
      "Water boils at",
      "<|im_start|>user\nName a colour.<|im_end|>\n<|im_start|>assistant\n",
      "<|im_start|>user\nSay hello in French and in German.<|im_end|>\n<|im_start|>assistant\n",
      "a",
      "In 1905 Albert Einstein, who then worked at the patent office of Bern, published",
      "Roses are red,",
      "The capital of France is",
      "My favourite recipe begins with two onions. First",
      "Once upon a time there was a little robot who"};
  return list;
}

/// Greedy and sampled, with and without stop strings, of different lengths.
const std::vector<core::GenerationSettings>& settings() {
  static const std::vector<core::GenerationSettings> list = [] {
    std::vector<core::GenerationSettings> made(4);
    made[0].max_tokens = 12;
    made[1].until = {"\n"};
    made[1].max_tokens = 10;
    made[2].max_tokens = 7;
    made[2].sample = true;
    made[2].temperature = 0.9;
    made[2].top_p = 0.95;
    made[2].top_k = 50;
    made[3].max_tokens = 9;
    made[3].repetition_penalty = 1.2;
    return made;
  }();
  return list;
}

std::vector<GenerateItem> make_items(const core::Tokenizer& tokenizer) {
  std::vector<GenerateItem> items;
  for (const std::string& prompt : prompts())
    items.push_back({.id = items.size(),
                     .tokens = tokenizer.encode(prompt, true),
                     .settings = &settings()[items.size() % settings().size()],
                     .seed = 100 + items.size()});
  return items;
}

std::size_t differences(const test::Answers& wanted, const test::Answers& found) {
  return static_cast<std::size_t>(std::ranges::count_if(found, [&](const auto& entry) {
    const core::Generated& other = wanted.at(entry.first);
    return entry.second.tokens != other.tokens || entry.second.text != other.text ||
           entry.second.finish != other.finish;
  }));
}

std::size_t in_groups(LlamaBackend& model, const test::Answers& wanted,
                      std::span<const GenerateItem> items, std::size_t size) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < items.size(); i += size)
    count += differences(wanted,
                         test::generate(model, items.subspan(i, std::min(size, items.size() - i))));
  return count;
}

Options options_for(const std::filesystem::path& file, KvFormat kv = KvFormat::f32) {
  Options options;
  options.path = file;
  options.threads = 1;
  options.kv = kv;
  options.prober = TIER_PROBER;
  return options;
}

void check_invariance(const std::string& format, KvFormat kv = KvFormat::f32) {
  const auto file = test::model_file(format);
  if (!file) return;
  const auto model = test::open_model(options_for(*file, kv));
  auto items = make_items(model->tokenizer());
  const test::Answers wanted = test::generate(*model, items);

  CHECK(in_groups(*model, wanted, std::span(items).first(4), 1) == 0);
  CHECK(in_groups(*model, wanted, items, 7) == 0);
  std::shuffle(items.begin(), items.end(), std::mt19937(5));
  CHECK(differences(wanted, test::generate(*model, items)) == 0);

  Options other = options_for(*file, kv);
  other.threads = 2;
  other.rows = 256;
  other.streams = 17;                          // 16 slots and one stream for prompts
  const auto few = std::span(items).first(5);  // steps on two threads are slow beside other work
  CHECK(differences(wanted, test::generate(*test::open_model(other), few)) == 0);
  other.threads = 1;
  other.streams = 12;  // 8 slots
  CHECK(differences(wanted, test::generate(*test::open_model(other), items)) == 0);
}

TEST_CASE("answers are equal token for token however items are put together: F32") {
  check_invariance("f32");
}
TEST_CASE("answers are equal token for token however items are put together: F32, KV in float16") {
  check_invariance("f32", KvFormat::f16);
}
TEST_CASE("answers are equal token for token however items are put together: Q8_0") {
  check_invariance("q8_0");
}
TEST_CASE("answers are equal token for token however items are put together: Q4_1") {
  check_invariance("q4_1");
}
TEST_CASE("answers are equal token for token however items are put together: Q4_K_M") {
  check_invariance("q4_k_m");
}

/// A sliding window in five of six layers, and a vocabulary of 262,144.
TEST_CASE("answers are equal token for token however items are put together: Gemma 3") {
  const auto file = test::model_file("gemma");
  if (!file) return;
  const auto model = test::open_model(options_for(*file));
  auto items = make_items(model->tokenizer());
  items.erase(items.begin() + 8, items.end());
  const test::Answers wanted = test::generate(*model, items);
  CHECK(in_groups(*model, wanted, std::span(items).first(2), 1) == 0);
  std::shuffle(items.begin(), items.end(), std::mt19937(5));
  CHECK(in_groups(*model, wanted, items, 5) == 0);
}

/// The small file, opened once for the tests below.
LlamaBackend* demo_model() {
  static const std::unique_ptr<LlamaBackend> model = []() -> std::unique_ptr<LlamaBackend> {
    const auto file = test::model_file("q4_1");
    if (!file) return nullptr;
    return test::open_model(options_for(*file));
  }();
  return model.get();
}

core::Generated answer(LlamaBackend& model, const std::string& prompt,
                       const core::GenerationSettings& settings, std::uint64_t seed = 0) {
  const GenerateItem item{.id = 3,
                          .tokens = model.tokenizer().encode(prompt, true),
                          .settings = &settings,
                          .seed = seed};
  return test::generate(model, {&item, 1}).at(3);
}

TEST_CASE("an answer ends at its stop string, its last token or its length") {
  LlamaBackend* model = demo_model();
  if (model == nullptr) return;
  core::GenerationSettings settings;
  settings.max_tokens = 5;
  const std::string chat = "<|im_start|>user\nName a colour.<|im_end|>\n<|im_start|>assistant\n";
  const core::Generated cut = answer(*model, chat, settings);
  CHECK(cut.finish == FinishReason::length);
  CHECK(cut.tokens.size() == 5);
  CHECK(cut.text == model->tokenizer().decode(cut.tokens, false));

  settings.max_tokens = 200;
  const core::Generated whole = answer(*model, chat, settings);
  CHECK(whole.finish == FinishReason::end_of_sequence);
  CHECK(whole.tokens.back() == 2);
  CHECK(whole.text.find("<|im_end|>") == std::string::npos);
  CHECK(whole.text.starts_with(cut.text));

  settings.until = {"never said", whole.text.substr(3, 4)};
  const core::Generated stopped = answer(*model, chat, settings);
  CHECK(stopped.finish == FinishReason::stop_string);
  CHECK(stopped.text.find(settings.until[1]) != std::string::npos);
  CHECK(std::equal(stopped.tokens.begin(), stopped.tokens.end(), whole.tokens.begin()));

  settings.max_tokens = 0;
  CHECK(answer(*model, chat, settings).tokens.empty());
}

TEST_CASE("the first token of a greedy answer is what scoring calls greedy, and so are all") {
  LlamaBackend* model = demo_model();
  if (model == nullptr) return;
  core::GenerationSettings settings;
  settings.max_tokens = 12;
  const std::string prompt = std::string(kBlock) + "Q: Who wrote Hamlet?\nA:";
  const core::Generated found = answer(*model, prompt, settings);
  std::vector<core::Token> tokens = model->tokenizer().encode(prompt, true);
  const std::size_t first = tokens.size();
  tokens.insert(tokens.end(), found.tokens.begin(), found.tokens.end());
  CHECK(test::score(*model, std::vector<ScoreItem>{{0, tokens, first}}).at(0).greedy);
}

TEST_CASE("answers in between change no score, and scores no answer") {
  LlamaBackend* model = demo_model();
  if (model == nullptr) return;
  const auto items = make_items(model->tokenizer());
  std::vector<ScoreItem> scored;
  for (const GenerateItem& item : std::span(items).first(8))
    if (item.tokens.size() > 1) scored.push_back({item.id, item.tokens, 1});
  const test::Scores scores = test::score(*model, scored);
  const test::Answers answers = test::generate(*model, items);
  for (const auto& [id, value] : test::score(*model, scored)) CHECK(value.sum == scores.at(id).sum);
  CHECK(differences(answers, test::generate(*model, items)) == 0);
}

TEST_CASE("what is left to this backend is greedy and ends after 256 tokens") {
  LlamaBackend* model = demo_model();
  if (model == nullptr) return;
  const std::string prompt = "Once upon a time";
  core::GenerationSettings greedy, length, own;
  greedy.until = length.until = own.until = {" the"};
  greedy.max_tokens = length.max_tokens = own.max_tokens = 5;
  own.sample = length.sample = true;
  own.temperature = length.temperature = 0.9;
  length.parameters = core::GenerationParameters::given_length;
  own.parameters = core::GenerationParameters::backend;
  CHECK(answer(*model, prompt, length, 1).tokens == answer(*model, prompt, greedy).tokens);
  greedy.max_tokens = 256;
  CHECK(answer(*model, prompt, own, 2).tokens == answer(*model, prompt, greedy).tokens);
  CHECK(model->capabilities().own_defaults);
  CHECK(model->capabilities().repeatable_defaults);
  CHECK(*model->identity().generation_defaults.find("max_new_tokens") == base::Value(256));
}

TEST_CASE("a seed decides a sampled answer") {
  LlamaBackend* model = demo_model();
  if (model == nullptr) return;
  core::GenerationSettings settings;
  settings.sample = true;
  settings.temperature = 1;
  settings.max_tokens = 16;
  const std::string prompt = "Once upon a time";
  CHECK(answer(*model, prompt, settings, 1).tokens == answer(*model, prompt, settings, 1).tokens);
  CHECK(answer(*model, prompt, settings, 1).tokens != answer(*model, prompt, settings, 2).tokens);
  // Repetitions of one prompt are computed once and then go their own ways.
  const auto tokens = model->tokenizer().encode(prompt, true);
  std::vector<GenerateItem> items;
  for (std::size_t i = 0; i < 20; ++i) items.push_back({i, tokens, &settings, i});
  const auto before = model->counters();
  const test::Answers answers = test::generate(*model, items);
  CHECK(answers.at(1).tokens == answer(*model, prompt, settings, 1).tokens);
  CHECK(model->counters().generated - before.generated == 20 * 16 + 16);
}

TEST_CASE("an answer ends where the context does") {
  const auto file = test::model_file("q4_1");
  if (!file) return;
  Options options = options_for(*file);
  options.context_length = 40;
  const auto model = test::open_model(options);
  core::GenerationSettings settings;
  settings.max_tokens = 1000;
  const core::Generated found = answer(*model, "1, 2, 3, 4, 5, 6, 7, 8,", settings);
  const std::size_t prompt = model->tokenizer().encode("1, 2, 3, 4, 5, 6, 7, 8,", true).size();
  CHECK(found.tokens.size() == 40 - prompt);
  CHECK(found.finish == FinishReason::length);
}

TEST_CASE("items that cannot be continued are refused with numbers, before any work") {
  LlamaBackend* model = demo_model();
  if (model == nullptr) return;
  const auto refusal = [&](std::vector<core::Token> tokens, const core::GenerationSettings& wish) {
    const GenerateItem item{.id = 7, .tokens = std::move(tokens), .settings = &wish, .seed = 0};
    const auto before = model->counters().decodes;
    const auto status = model->generate({&item, 1}, [](auto) { FAIL("no answer may come"); }, {});
    CHECK(model->counters().decodes == before);
    REQUIRE_FALSE(status.has_value());
    return status.error().text;
  };
  core::GenerationSettings settings;
  CHECK(refusal({}, settings) ==
        "item 7: has 0 prompt tokens, wanted 1 to 8191, so that an answer fits into the context");
  CHECK(refusal(std::vector<core::Token>(8192, 1), settings) ==
        "item 7: has 8192 prompt tokens, wanted 1 to 8191, so that an answer fits into the "
        "context");
  CHECK(refusal({1, 49152}, settings) == "item 7: token 49152 is outside the vocabulary of 49152");
  settings.sample = true;
  CHECK(refusal({1}, settings) ==
        "item 7: temperature=0: wanted more than 0 for sampling, or do_sample=false");
}

TEST_CASE("generation stops between decodes when asked to") {
  LlamaBackend* model = demo_model();
  if (model == nullptr) return;
  auto items = make_items(model->tokenizer());
  std::stop_source source;
  std::size_t answers = 0;
  const auto status = model->generate(
      items,
      [&](std::span<const GenerateResult> results) {
        answers += results.size();
        source.request_stop();
      },
      source.get_token());
  REQUIRE_FALSE(status.has_value());
  CHECK(status.error().kind == base::ErrorKind::interrupted);
  CHECK(answers < items.size());
}

TEST_CASE("text comes back as it went in") {
  LlamaBackend* model = demo_model();
  if (model == nullptr) return;
  const auto& tokenizer = model->tokenizer();
  for (const std::string text :
       {"", " leading and trailing ", "don't . stop , here !", "tab\tnew\n\nline\r\n",
        "Grüße aus Köln, très bien", "日本語のテキスト", "العربية",
        "👩‍👩‍👧‍👦 🇪🇺", "e\u0301 ≠ é", "x²+y²=z² ∀ε>0"})
    CHECK(tokenizer.decode(tokenizer.encode(text, true), true) == text);
  const auto tokens = tokenizer.encode("a<|im_end|>b", true);
  CHECK(tokenizer.decode(tokens, true) == "a<|im_end|>b");
  CHECK(tokenizer.decode(tokens, false) == "ab");
  CHECK(tokenizer.end_text() == "<|im_end|>");
}

TEST_CASE("the demo model's file brings its chat template and special tokens") {
  const auto file = test::model_file("q4_1");
  if (!file) return;
  const auto source = read_chat_source(*file);
  REQUIRE(source.has_value());
  CHECK(source->templates.at("default").find("<|im_start|>") != std::string::npos);
  CHECK(source->special_tokens.at("bos_token") == "<|im_start|>");
  CHECK(source->special_tokens.at("eos_token") == "<|im_end|>");
}

TEST_CASE("a character that was cut off is marked once") {
  LlamaBackend* model = demo_model();
  if (model == nullptr) return;
  const auto& tokenizer = model->tokenizer();
  auto tokens = tokenizer.encode("ok 𒀀", true);
  tokens.pop_back();
  CHECK(tokenizer.decode(tokens, true) == "ok \uFFFD");
}

}  // namespace
}  // namespace tare::backend::llama
