#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <map>
#include <random>

#include "models.h"
#include "support/support.h"
#include "tiny_mamba.h"

/// Models whose state cannot be cut: every item is computed for itself, from its first token.
namespace tare::backend::llama {
namespace {

Options options_for(const std::filesystem::path& file) {
  Options options;
  options.path = file;
  options.threads = 1;
  options.prober = TIER_PROBER;
  return options;
}

/// Of many lengths, two of three with a beginning that others have too.
std::vector<ScoreItem> make_items() {
  std::mt19937 random(29);
  const auto draw = [&](std::size_t count) {
    std::vector<core::Token> tokens(count);
    for (core::Token& token : tokens) token = static_cast<core::Token>(3 + random() % 256);
    return tokens;
  };
  const std::vector<core::Token> beginning = draw(21);
  std::vector<ScoreItem> items;
  for (std::size_t i = 0; i < 60; ++i) {
    auto tokens = i % 3 == 0 ? std::vector<core::Token>{1} : beginning;
    const auto rest = draw(1 + random() % 70);
    tokens.insert(tokens.end(), rest.begin(), rest.end());
    const std::size_t first = i % 4 == 0 ? 1 : tokens.size() - 1;
    items.push_back({i, std::move(tokens), first});
  }
  return items;
}

std::size_t differences(const test::Scores& wanted, const test::Scores& found) {
  return static_cast<std::size_t>(std::ranges::count_if(found, [&](const auto& entry) {
    const core::LogLikelihood& other = wanted.at(entry.first);
    return std::bit_cast<std::uint64_t>(entry.second.sum) !=
               std::bit_cast<std::uint64_t>(other.sum) ||
           entry.second.greedy != other.greedy;
  }));
}

std::size_t in_groups(LlamaBackend& model, const test::Scores& wanted,
                      std::span<const ScoreItem> items, std::size_t size) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < items.size(); i += size)
    count +=
        differences(wanted, test::score(model, items.subspan(i, std::min(size, items.size() - i))));
  return count;
}

TEST_CASE("scores of a recurrent model are equal bit for bit however items are put together") {
  const test::TempDir folder;
  const auto file = folder.write("mamba.gguf", test::tiny_mamba());
  auto items = make_items();
  Options options = options_for(file);
  options.share_prefixes = false;  // each item alone
  const test::Scores wanted = test::score(*test::open_model(options), items);
  CHECK(wanted.at(0).sum < 0);
  CHECK(wanted.at(1).sum != wanted.at(2).sum);

  const auto model = test::open_model(options_for(file));
  CHECK(differences(wanted, test::score(*model, items)) == 0);
  CHECK(in_groups(*model, wanted, items, 7) == 0);
  std::shuffle(items.begin(), items.end(), std::mt19937(3));
  CHECK(in_groups(*model, wanted, items, 1) == 0);
  options = options_for(file);
  options.rows = 64;
  options.streams = 3;
  CHECK(differences(wanted, test::score(*test::open_model(options), items)) == 0);
}

/// Some greedy, some sampled; prompts of 1 to 70 tokens and one longer than a decode.
std::vector<GenerateItem> make_prompts(const core::GenerationSettings& greedy,
                                       const core::GenerationSettings& sampled) {
  std::vector<GenerateItem> prompts;
  for (const ScoreItem& item : make_items())
    if (item.id % 6 == 0)
      prompts.push_back({item.id, item.tokens, item.id % 12 == 0 ? &greedy : &sampled, item.id});
  prompts.push_back({60, std::vector<core::Token>(150, 7), &greedy, 0});
  return prompts;
}

using Tokens = std::map<std::size_t, std::vector<core::Token>>;

Tokens answers(LlamaBackend& model, std::span<const GenerateItem> prompts) {
  Tokens tokens;
  for (auto& [id, answer] : test::generate(model, prompts)) tokens[id] = answer.tokens;
  return tokens;
}

TEST_CASE("a recurrent model's answers are the same whatever is asked beside them, and how") {
  const test::TempDir folder;
  const auto file = folder.write("mamba.gguf", test::tiny_mamba());
  core::GenerationSettings greedy;
  greedy.max_tokens = 12;
  core::GenerationSettings sampled = greedy;
  sampled.sample = true;
  sampled.temperature = 1;
  auto prompts = make_prompts(greedy, sampled);
  Options options = options_for(file);
  options.rows = 64;  // the longest prompt takes three decodes
  const auto model = test::open_model(options);
  const Tokens wanted = answers(*model, prompts);
  REQUIRE(wanted.size() == prompts.size());
  CHECK(wanted.at(0).size() == 12);
  CHECK(wanted.at(0) != wanted.at(12));

  std::shuffle(prompts.begin(), prompts.end(), std::mt19937(3));
  test::score(*model, make_items());
  CHECK(answers(*model, prompts) == wanted);
  options.streams = 3;
  const auto other = test::open_model(options);
  for (const GenerateItem& prompt : prompts)
    CHECK(answers(*other, {&prompt, 1}).at(prompt.id) == wanted.at(prompt.id));
}

/// As a score says which token is the most likely one, so must the answer have it.
TEST_CASE("a recurrent model's first new token is the one that its scores call the argmax") {
  const test::TempDir folder;
  const auto file = folder.write("mamba.gguf", test::tiny_mamba());
  const auto model = test::open_model(options_for(file));
  core::GenerationSettings settings;
  settings.max_tokens = 3;
  const GenerateItem prompt{.id = 0, .tokens = {1, 5, 9, 30}, .settings = &settings, .seed = 0};
  const auto answer = test::generate(*model, {&prompt, 1}).at(0);
  ScoreItem item{0, prompt.tokens, prompt.tokens.size()};
  item.tokens.insert(item.tokens.end(), answer.tokens.begin(), answer.tokens.end());
  CHECK(test::score(*model, {&item, 1}).at(0).greedy);
}

}  // namespace
}  // namespace tare::backend::llama
