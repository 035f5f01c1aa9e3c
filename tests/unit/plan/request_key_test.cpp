#include "plan/request_key.h"

#include <doctest/doctest.h>

#include <set>
#include <vector>

namespace tare::plan {
namespace {

EncodedRequest scored(std::vector<core::Token> tokens, std::size_t first_scored) {
  EncodedRequest request;
  request.tokens = std::move(tokens);
  request.first_scored = first_scored;
  return request;
}

EncodedRequest prompt(std::uint64_t seed = 0) {
  EncodedRequest request = scored({1, 2, 3}, 3);
  request.seed = seed;
  return request;
}

core::GenerationSettings sampled() {
  core::GenerationSettings settings;
  settings.sample = true;
  settings.temperature = 0.7;
  return settings;
}

}  // namespace

TEST_CASE("what is asked makes the key, not where it stands") {
  EncodedRequest elsewhere = scored({1, 2, 3}, 2);
  elsewhere.task = 5;
  elsewhere.request = 77;
  elsewhere.truncated = 4;
  CHECK(request_key(elsewhere, {}) == request_key(scored({1, 2, 3}, 2), {}));
  CHECK(request_key(elsewhere, {}).size() == 64);
}

TEST_CASE("whatever changes an answer changes the key") {
  std::vector<core::GenerationSettings> ways(9);
  ways[1].max_tokens = 255;
  ways[2].until = {"a", "b"};
  ways[3].until = {"b", "a"};
  ways[4].until = {"ab"};
  ways[5].until = {"a\nstop 1:b"};
  ways[6].repetition_penalty = 1.1;
  ways[7] = sampled();
  ways[8] = sampled();
  ways[8].temperature = 0.8;
  for (const auto change : {0, 1, 2}) {
    ways.push_back(sampled());
    if (change == 0) ways.back().top_p = 0.9;
    if (change == 1) ways.back().min_p = 0.9;
    if (change == 2) ways.back().top_k = 9;
  }
  std::set<std::string> keys;
  for (const auto& way : ways) keys.insert(request_key(prompt(), way));
  for (const auto& request : {scored({1, 2, 3}, 2), scored({1, 2, 3}, 1), scored({1, 2, 4}, 2),
                              scored({1, 2}, 1), scored({1, 2, 3, 0}, 2), scored({1, 258}, 1)})
    keys.insert(request_key(request, {}));
  CHECK(keys.size() == ways.size() + 6);
}

TEST_CASE("sampled answers have their seeds, greedy ones do not") {
  CHECK(request_key(prompt(1), sampled()) != request_key(prompt(2), sampled()));
  CHECK(request_key(prompt(1), {}) == request_key(prompt(2), {}));
}

TEST_CASE("settings that a greedy or scored answer does not know leave its key") {
  core::GenerationSettings warm;
  warm.temperature = 0.5;
  warm.top_p = 0.5;
  CHECK(request_key(prompt(), warm) == request_key(prompt(), {}));
  CHECK(request_key(scored({1, 2}, 1), sampled()) == request_key(scored({1, 2}, 1), {}));
}

TEST_CASE("what is left to the backend's defaults is told from what is given") {
  std::set<std::string> keys{request_key(prompt(), {})};
  for (const auto parameters :
       {core::GenerationParameters::given_length, core::GenerationParameters::backend})
    for (const char* defaults : {"greedy", "warm"})
      for (const std::uint64_t seed : {1U, 2U}) {
        core::GenerationSettings settings;
        settings.parameters = parameters;
        keys.insert(request_key(prompt(seed), settings, defaults));
      }
  CHECK(keys.size() == 9);
}

TEST_CASE("defaults leave the keys of what is given wholly, and of scores") {
  CHECK(request_key(prompt(), {}, "greedy") == request_key(prompt(), {}, "warm"));
  CHECK(request_key(scored({1, 2}, 1), {}, "greedy") == request_key(scored({1, 2}, 1), {}));
}

TEST_CASE("what the backend decides itself is no part of the key") {
  core::GenerationSettings own, longer;
  own.parameters = longer.parameters = core::GenerationParameters::backend;
  longer.max_tokens = 77;
  longer.temperature = 1;
  CHECK(request_key(prompt(), own, "d") == request_key(prompt(), longer, "d"));
  own.parameters = longer.parameters = core::GenerationParameters::given_length;
  CHECK(request_key(prompt(), own, "d") != request_key(prompt(), longer, "d"));
}

}  // namespace tare::plan
