#include "run/probe.h"

#include <doctest/doctest.h>

namespace tare::run {
namespace {

/// Notes what it is asked.
class Noting final : public backend::Backend {
 public:
  backend::Capabilities capabilities() const override { return {}; }
  backend::Identity identity() const override { return {}; }
  const core::Tokenizer& tokenizer() const override { std::abort(); }
  base::Status score(std::span<const backend::ScoreItem>, const Sink&, std::stop_token) override {
    return {};
  }
  base::Status generate(std::span<const backend::GenerateItem>, const GenerateSink&,
                        std::stop_token) override {
    return {};
  }
  base::Result<core::Invariance> probe(std::span<const backend::ScoreItem> items,
                                       std::span<const backend::GenerateItem> generations,
                                       std::stop_token) override {
    for (const auto& item : items) scored.push_back(item.id);
    for (const auto& item : generations) continued.push_back(item.id);
    return core::Invariance{core::InvarianceVerdict::held, {}};
  }
  std::vector<std::size_t> scored, continued;
};

plan::EncodedRequest request(std::size_t tokens, bool generates, bool skipped = false) {
  plan::EncodedRequest request;
  request.tokens.resize(tokens, 1);
  request.first_scored = generates ? tokens : 1;
  request.skipped = skipped;
  return request;
}

}  // namespace

TEST_CASE("a probe is made of the first requests, about 512 tokens, and one prompt to continue") {
  const std::vector<core::BuiltTask> tasks(1);
  std::vector<plan::EncodedRequest> requests{request(0, false), request(300, true),
                                             request(50, false, true), request(300, true)};
  for (int i = 0; i < 5; ++i) requests.push_back(request(200, false));
  Noting backend;
  const auto found = probe(requests, tasks, backend, {});
  REQUIRE(found);
  CHECK(found->verdict == core::InvarianceVerdict::held);
  CHECK(backend.scored == std::vector<std::size_t>{4, 5, 6});
  CHECK(backend.continued == std::vector<std::size_t>{1});
}

TEST_CASE("a probe without requests asks for nothing") {
  Noting backend;
  REQUIRE(probe({}, {}, backend, {}));
  CHECK(backend.scored.empty());
  CHECK(backend.continued.empty());
}

}  // namespace tare::run
