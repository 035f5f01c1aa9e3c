#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <random>

#include "models.h"
#include "support/support.h"

/// The promise of the pinned mode: an item's result does not depend on what else is scored, in
/// which order, in which calls, with what left in the cache, or on how many threads.
namespace tare::backend::llama {
namespace {

struct Question {
  const char* text;
  std::vector<const char*> choices;
};

const std::vector<Question>& questions() {
  static const std::vector<Question> list{
      {"Question: Why does a metal spoon feel colder than a wooden one in the same room?\nAnswer:",
       {" Metal takes heat from the hand faster.",
        " Metal is always colder than the air around it.", " Wood makes heat.",
        " The eye sees metal as cold, and the hand believes the eye."}},
      {"Question: Which of these is a mammal?\nAnswer:",
       {" whale", " trout", " a bee", " the common lizard"}},
      {"Question: A cart is pushed twice as hard as before, and nothing else is changed. What "
       "happens to "
       "its acceleration?\nAnswer:",
       {" It doubles.", " It stays the same, because the mass has not changed.", " It halves."}}};
  return list;
}

constexpr const char* kBlock =
    "Q: What do plants take out of the air?\nA) gold\nB) carbon dioxide\nC) sand\nD) salt\nAnswer: "
    "B\n\n"
    "Q: How many sides has a triangle?\nA) two\nB) four\nC) three\nD) nine\nAnswer: C\n\n"
    "Q: Where does the sun rise?\nA) in the east\nB) in the west\nC) nowhere\nD) at sea\nAnswer: "
    "A\n\n"
    "Q: What is frozen water called?\nA) steam\nB) glass\nC) milk\nD) ice\nAnswer: D\n\n";

constexpr const char* kPassage =
    " The harbour lay still under a thin layer of mist, and the boats that had come in during the "
    "night "
    "were being unloaded by men who hardly spoke. Crates of fish, ropes, two broken lanterns and a "
    "mattress stood in a row along the wall. Nobody knew who had written the number 418 on the "
    "door.";

class ItemMaker {
 public:
  explicit ItemMaker(const core::Tokenizer& tokenizer) : tokenizer_(tokenizer) {}

  std::vector<ScoreItem> make() {
    for (const Question& question : questions())
      for (const char* choice : question.choices) add(question.text, choice);
    for (const char* question :
         {"Q: What do bees make?\nA) honey\nB) iron\nC) rain\nD) bread\nAnswer:",
          "Q: Which is the largest?\nA) a mouse\nB) a horse\nC) a blue whale\nD) a hen\nAnswer:"})
      for (const char* choice : {" A", " B", " C", " D"})
        add(std::string(kBlock) + question, choice);
    add_whole(days(5));
    add_whole(kPassage);
    return std::move(items_);
  }

  /// Choices behind more tokens than a sliding window of 512 holds, and short ones.
  std::vector<ScoreItem> make_long() {
    for (const char* choice : {" Nobody spoke.", " The", " Then the bell rang, and all went home."})
      add(days(9), choice);
    for (const char* choice : questions()[1].choices) add(questions()[1].text, choice);
    add_whole(kPassage);
    return std::move(items_);
  }

 private:
  static std::string days(int count) {
    std::string passage;
    for (int i = 0; i < count; ++i) passage += kPassage + fmt::format(" It was day {}.", i * i);
    return passage;
  }
  void add(const std::string& context, const std::string& continuation) {
    auto tokens = tokenizer_.encode(context + continuation, true);
    items_.push_back({items_.size(), std::move(tokens), tokenizer_.encode(context, true).size()});
  }
  void add_whole(const std::string& text) {
    items_.push_back({items_.size(), tokenizer_.encode(text, true), 1});
  }

  const core::Tokenizer& tokenizer_;
  std::vector<ScoreItem> items_;
};

std::size_t differences(const test::Scores& wanted, const test::Scores& found) {
  std::size_t count = 0;
  for (const auto& [id, value] : found) {
    const core::LogLikelihood& other = wanted.at(id);
    const bool equal =
        std::bit_cast<std::uint64_t>(value.sum) == std::bit_cast<std::uint64_t>(other.sum) &&
        value.greedy == other.greedy;
    count += !equal;
  }
  return count;
}

std::size_t in_groups(LlamaBackend& model, const test::Scores& wanted,
                      std::span<const ScoreItem> items, std::size_t size) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < items.size(); i += size)
    count +=
        differences(wanted, test::score(model, items.subspan(i, std::min(size, items.size() - i))));
  return count;
}

Options options_for(const std::filesystem::path& file, KvFormat kv, const ShapeClass& shape) {
  Options options;
  options.path = file;
  options.threads = 1;
  options.kv = kv;
  options.shape = shape;
  options.prober = TIER_PROBER;
  return options;
}

void check_invariance(const std::string& format, KvFormat kv, const ShapeClass& shape = {}) {
  const auto file = test::model_file(format);
  if (!file) return;
  const auto model = test::open_model(options_for(*file, kv, shape));
  auto items = ItemMaker(model->tokenizer()).make();
  const test::Scores wanted = test::score(*model, items);

  CHECK(differences(wanted, test::score(*model, items)) == 0);
  CHECK(in_groups(*model, wanted, items, 5) == 0);
  std::shuffle(items.begin(), items.end(), std::mt19937(3));
  CHECK(differences(wanted, test::score(*model, items)) == 0);
  CHECK(in_groups(*model, wanted, items, 1) == 0);

  Options other = options_for(*file, kv, shape);
  other.threads = 2;
  other.rows = 256;
  other.streams = 5;
  CHECK(differences(wanted, test::score(*test::open_model(other), items)) == 0);
  other.threads = 1;
  other.streams = 1;
  CHECK(differences(wanted, test::score(*test::open_model(other), items)) == 0);
}

TEST_CASE("equal bit for bit however items are put together: F32") {
  check_invariance("f32", KvFormat::f32);
}
TEST_CASE("equal bit for bit however items are put together: F32, KV cache in float16") {
  check_invariance("f32", KvFormat::f16);
}
TEST_CASE("equal bit for bit however items are put together: F32, tiles of 16 rows") {
  check_invariance("f32", KvFormat::f32, {.tile = 16, .grain = 16});
}
TEST_CASE("equal bit for bit whether prefixes are shared or each item is computed for itself") {
  const auto file = test::model_file("f32");
  if (!file) return;
  const auto sharing = test::open_model(options_for(*file, KvFormat::f32, {}));
  const auto items = ItemMaker(sharing->tokenizer()).make();
  Options options = options_for(*file, KvFormat::f32, {});
  options.share_prefixes = false;
  const auto alone = test::open_model(options);
  CHECK(differences(test::score(*sharing, items), test::score(*alone, items)) == 0);
  std::size_t asked = 0;
  for (const ScoreItem& item : items) asked += item.tokens.size() - 1;
  CHECK(alone->counters().computed == asked);
  CHECK(2 * sharing->counters().computed < asked);
}
TEST_CASE("equal bit for bit however items are put together: Q8_0") {
  check_invariance("q8_0", KvFormat::f32);
}
TEST_CASE("equal bit for bit however items are put together: Q4_1") {
  check_invariance("q4_1", KvFormat::f32);
}
TEST_CASE("equal bit for bit however items are put together: Q4_K_M") {
  check_invariance("q4_k_m", KvFormat::f32);
}
TEST_CASE("equal bit for bit however items are put together: Q4_K_M, KV cache in float16") {
  check_invariance("q4_k_m", KvFormat::f16);
}

TEST_CASE("equal bit for bit however items are put together: Gemma 3") {
  const auto file = test::model_file("gemma");
  if (!file) return;
  const auto model = test::open_model(options_for(*file, KvFormat::f32, {}));
  auto items = ItemMaker(model->tokenizer()).make_long();
  CHECK(items[0].first_scored > 550);
  const test::Scores wanted = test::score(*model, items);
  CHECK(differences(wanted, test::score(*model, items)) == 0);
  std::shuffle(items.begin(), items.end(), std::mt19937(3));
  CHECK(in_groups(*model, wanted, items, 5) == 0);
  CHECK(in_groups(*model, wanted, items, 1) == 0);
}

TEST_CASE("a narrower shape class can be set later, down to one item at a time") {
  const auto file = test::model_file("q4_k_m");
  if (!file) return;
  const auto model = test::open_model(options_for(*file, KvFormat::f32, {}));
  auto items = ItemMaker(model->tokenizer()).make();
  items.resize(8);
  test::score(*model, items);
  const auto refused = model->set_shape_class({.tile = 16, .grain = 12});
  REQUIRE(!refused);
  CHECK(refused.error().text == "grain=12: wanted a divisor of tile=16");
  REQUIRE(model->set_shape_class({.tile = 16, .grain = 16, .alone = true}));
  CHECK(model->shape_class() == ShapeClass{.tile = 16, .grain = 16, .alone = true});
  const base::Value settings = model->identity().settings;
  CHECK(settings.as_dict().find("tile")->as_int() == 16);
  CHECK(settings.as_dict().find("sequences")->as_string() == "one at a time");
  const std::size_t before = model->counters().computed;
  const test::Scores wanted = test::score(*model, items);
  std::size_t tokens = 0;
  for (const ScoreItem& item : items) tokens += item.tokens.size() - 1;
  CHECK(model->counters().computed - before == tokens);
  CHECK(in_groups(*model, wanted, items, 3) == 0);
}

}  // namespace
}  // namespace tare::backend::llama
