#include "backend/llama/sampler.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include "support/support.h"

namespace tare::backend::llama {
namespace {

using base::Value;
using core::GenerationSettings;
using core::Token;

std::vector<float> floats(const Value& list) {
  std::vector<float> values;
  for (const Value& value : list.items()) values.push_back(static_cast<float>(value.as_number()));
  return values;
}

std::vector<Token> tokens(const Value* list) {
  std::vector<Token> values;
  if (list != nullptr)
    for (const Value& value : list->items()) values.push_back(static_cast<Token>(value.as_int()));
  return values;
}

GenerationSettings settings_of(const Value& entry) {
  GenerationSettings settings;
  const auto number = [&](const char* name) -> std::optional<double> {
    const Value* value = entry.find(name);
    return value == nullptr ? std::nullopt : std::optional(value->as_number());
  };
  settings.sample = true;
  settings.temperature = *number("temperature");
  settings.top_p = number("top_p");
  settings.min_p = number("min_p");
  settings.repetition_penalty = number("repetition_penalty");
  if (const Value* k = entry.find("top_k")) settings.top_k = k->as_int();
  return settings;
}

TEST_CASE("choices of sampler.json") {
  const Value file = test::load_cases("backend/sampler.json");
  for (const Value& entry : file.find("cases")->items()) {
    const auto logits = floats(*entry.find("logits"));
    GenerationSettings settings = settings_of(*entry.find("settings"));
    const auto prompt = tokens(entry.find("settings")->find("prompt"));
    CAPTURE(entry.find("settings")->find("temperature")->as_number());
    if (!settings.repetition_penalty)
      for (const Value& draw : entry.find("draws")->items()) {
        CAPTURE(draw.items()[0].as_number());
        CHECK(sample(logits, settings, draw.items()[0].as_number()) == draw.items()[1].as_int());
      }
    settings.sample = false;
    const Token argmax = Sampler(settings, 0, prompt).choose(logits);
    CHECK(argmax == entry.find("argmax")->as_int());
  }
}

TEST_CASE("random numbers of sampler.json") {
  const Value file = test::load_cases("backend/sampler.json");
  for (const Value& entry : file.find("uniform")->items()) {
    const auto seed = static_cast<std::uint64_t>(entry.items()[0].as_int());
    const auto step = static_cast<std::uint64_t>(entry.items()[1].as_int());
    CHECK(uniform(seed, step) == entry.items()[2].as_number());
  }
}

TEST_CASE("a sampler draws with the numbers of its seed, step by step") {
  const std::vector<float> logits{0.3F, 1, 0.2F, -1, 0.9F, 0.4F, 0, 0.1F};
  GenerationSettings settings;
  settings.sample = true;
  settings.temperature = 1.5;
  Sampler sampler(settings, 42, {});
  for (std::uint64_t step = 0; step < 50; ++step)
    CHECK(sampler.choose(logits) == sample(logits, settings, uniform(42, step)));
}

TEST_CASE("what was chosen counts for the repetition penalty from then on") {
  const std::vector<float> logits{1, 4, 3.9F, -1};
  GenerationSettings settings;
  settings.repetition_penalty = 10;
  const std::vector<Token> prompt{0};
  Sampler sampler(settings, 0, prompt);
  CHECK(sampler.choose(logits) == 1);
  CHECK(sampler.choose(logits) == 2);
  CHECK(sampler.choose(logits) == 1);  // 0.4 against 0.39, 0.1 and -1
}

TEST_CASE("top_p keeps the same tokens however many it has to look at") {
  std::vector<float> logits(5000);
  for (std::size_t i = 0; i < logits.size(); ++i)
    logits[i] = static_cast<float>((i * 7919) % 5000) / 5000;
  GenerationSettings settings;
  settings.sample = true;
  settings.temperature = 1;
  settings.top_p = 0.5;
  std::set<Token> drawn;
  for (std::uint64_t step = 0; step < 20000; ++step)
    drawn.insert(sample(logits, settings, uniform(1, step)));
  // The mass above x of exp(x) on [0, 1] is (e - e^x) / (e - 1): half of it lies above 0.62011.
  const auto least = std::ranges::min(drawn, {}, [&](Token t) { return logits[std::size_t(t)]; });
  CHECK(logits[static_cast<std::size_t>(least)] == doctest::Approx(0.62011).epsilon(2e-3));
}

TEST_CASE("draws come as often as their probabilities say") {
  const std::vector<float> logits{0, std::log(2.0F), std::log(5.0F)};
  GenerationSettings settings;
  settings.sample = true;
  settings.temperature = 1;
  std::vector<double> counts(3);
  constexpr int kDraws = 80000;
  Sampler sampler(settings, 7, {});
  for (int i = 0; i < kDraws; ++i) counts[static_cast<std::size_t>(sampler.choose(logits))] += 1;
  // Four standard errors: 4 * sqrt(p (1 - p) / n) is at most 0.0071.
  CHECK(counts[0] / kDraws == doctest::Approx(1.0 / 8).scale(1).epsilon(0.0071));
  CHECK(counts[1] / kDraws == doctest::Approx(2.0 / 8).scale(1).epsilon(0.0071));
  CHECK(counts[2] / kDraws == doctest::Approx(5.0 / 8).scale(1).epsilon(0.0071));
}

TEST_CASE("settings without a meaning are refused with the value wanted") {
  const auto refusal = [](const auto& change) {
    GenerationSettings settings;
    settings.sample = true;
    settings.temperature = 1;
    change(settings);
    const auto status = check_sampling(settings);
    return status ? std::string() : status.error().text;
  };
  CHECK(refusal([](auto&) {}).empty());
  CHECK(refusal([](auto& s) { s.temperature = 0; }) ==
        "temperature=0: wanted more than 0 for sampling, or do_sample=false");
  CHECK(refusal([](auto& s) { s.sample = false, s.temperature = 0; }).empty());
  CHECK(refusal([](auto& s) { s.top_p = 1.5; }) == "top_p=1.5: wanted 0 to 1");
  CHECK(refusal([](auto& s) { s.min_p = -1; }) == "min_p=-1: wanted 0 to 1");
  CHECK(refusal([](auto& s) { s.top_k = -1; }) == "top_k=-1: wanted 0 (off) or more");
  CHECK(refusal([](auto& s) { s.sample = false, s.repetition_penalty = 0; }) ==
        "repetition_penalty=0: wanted more than 0");
}

}  // namespace
}  // namespace tare::backend::llama
