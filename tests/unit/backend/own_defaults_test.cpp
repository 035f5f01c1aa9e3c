#include "backend/own_defaults.h"

#include <doctest/doctest.h>

namespace tare::backend {
namespace {

using core::GenerationParameters;

core::GenerationSettings warm(GenerationParameters parameters) {
  core::GenerationSettings settings;
  settings.parameters = parameters;
  settings.until = {"\n"};
  settings.max_tokens = 7;
  settings.sample = true;
  settings.temperature = 0.5;
  settings.repetition_penalty = 1.1;
  return settings;
}

}  // namespace

TEST_CASE("what is left to the backend is greedy, with 256 tokens unless their number is given") {
  const auto given = with_greedy_defaults(warm(GenerationParameters::given));
  CHECK(given.sample);
  CHECK(given.max_tokens == 7);
  const auto length = with_greedy_defaults(warm(GenerationParameters::given_length));
  CHECK_FALSE(length.sample);
  CHECK_FALSE(length.repetition_penalty.has_value());
  CHECK(length.max_tokens == 7);
  CHECK(length.until == std::vector<std::string>{"\n"});
  const auto own = with_greedy_defaults(warm(GenerationParameters::backend));
  CHECK_FALSE(own.sample);
  CHECK(own.max_tokens == 256);
  CHECK(own.until == std::vector<std::string>{"\n"});
  CHECK(*greedy_defaults().find("max_new_tokens") == base::Value(256));
}

TEST_CASE("items are filled in once for each of their settings") {
  const auto given = warm(GenerationParameters::given);
  const auto own = warm(GenerationParameters::backend);
  const std::vector<GenerateItem> items{{1, {5}, &own, 3}, {2, {6}, &given, 4}, {3, {7}, &own, 5}};
  const FilledItems filled(items);
  REQUIRE(filled.items().size() == 3);
  CHECK(filled.items()[0].settings == filled.items()[2].settings);
  CHECK(filled.items()[0].settings->max_tokens == 256);
  CHECK(filled.items()[1].settings == &given);
  CHECK(filled.items()[2].seed == 5);
}

}  // namespace tare::backend
