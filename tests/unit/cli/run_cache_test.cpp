#include "cli/run_cache.h"

#include <doctest/doctest.h>

#include <cstdlib>
#include <utility>

#include "backend/scripted/scripted_backend.h"
#include "support/support.h"

namespace tare::cli {
namespace {

namespace fs = std::filesystem;
using core::InvarianceVerdict;

/// A backend that says of itself what the test wants, and is asked nothing.
class Claimed final : public backend::Backend {
 public:
  Claimed(std::string weights, std::string mode)
      : tokens_(std::move(*backend::scripted::open("zero"))) {
    base::Dict settings;
    settings.set("mode", std::move(mode));
    identity_.weights_sha256 = std::move(weights);
    identity_.model_name = "model";
    identity_.settings = std::move(settings);
  }
  backend::Capabilities capabilities() const override {
    return {.own_defaults = true,
            .repeatable_defaults = repeatable_defaults,
            .context_length = context};
  }
  backend::Identity identity() const override { return identity_; }
  const core::Tokenizer& tokenizer() const override { return tokens_->tokenizer(); }
  base::Status score(std::span<const backend::ScoreItem>, const Sink&, std::stop_token) override {
    return {};
  }
  base::Status generate(std::span<const backend::GenerateItem>, const GenerateSink&,
                        std::stop_token) override {
    return {};
  }
  base::Result<core::Invariance> probe(std::span<const backend::ScoreItem>,
                                       std::span<const backend::GenerateItem>,
                                       std::stop_token) override {
    return core::Invariance{};
  }

  void set_defaults(base::Value defaults) { identity_.generation_defaults = std::move(defaults); }

  std::size_t context = 512;
  bool repeatable_defaults = true;

 private:
  std::unique_ptr<backend::Backend> tokens_;
  backend::Identity identity_;
};

/// A plan of three requests, with what a cache file says to it.
struct Asked {
  Asked() : tasks(1) {
    for (core::Token last : {1, 2, 3}) {
      plan::EncodedRequest request;
      request.tokens = {7, last};
      request.first_scored = 1;
      plan.order.push_back(plan.requests.size());
      plan.requests.push_back(request);
    }
  }

  RunCache open(const CacheOption& option, const backend::Backend& backend,
                InvarianceVerdict verdict = InvarianceVerdict::held) const {
    auto cache = RunCache::open(option, backend, verdict, plan, tasks);
    REQUIRE_MESSAGE(cache.has_value(), cache.error().text);
    return std::move(*cache);
  }

  /// Positions that a cache opened now knows.
  std::vector<std::size_t> found(const CacheOption& option, const backend::Backend& backend,
                                 std::vector<core::Answered> known = {}) const {
    RunCache cache = open(option, backend);
    std::vector<std::size_t> positions;
    for (const core::Answered& one : cache.look_up(known)) positions.push_back(one.position);
    return positions;
  }

  std::vector<core::BuiltTask> tasks;
  plan::Plan plan;
};

core::Answered answer(std::size_t position) {
  return {position, core::LogLikelihood{-1.0, false}};
}

void keep(RunCache cache, std::vector<core::Answered> answers) {
  cache.keep(answers);
}

using Positions = std::vector<std::size_t>;

}  // namespace

TEST_CASE("what was kept is found, and what is known is not looked for") {
  const test::TempDir dir;
  const Asked asked;
  const CacheOption option{false, dir.path() / "c.sqlite"};
  const Claimed backend("aa", "pinned");
  keep(asked.open(option, backend), {answer(0), answer(2)});
  CHECK(asked.found(option, backend) == Positions{0, 2});
  CHECK(asked.found(option, backend, {answer(2)}) == Positions{0});
}

TEST_CASE("answers of other weights or with another context are others") {
  const test::TempDir dir;
  const Asked asked;
  const CacheOption option{false, dir.path() / "c.sqlite"};
  keep(asked.open(option, Claimed("aa", "pinned")), {answer(0)});
  CHECK(asked.found(option, Claimed("bb", "pinned")).empty());
  Claimed longer("aa", "pinned");
  longer.context = 1024;
  CHECK(asked.found(option, longer).empty());
}

TEST_CASE("answers that depend on their company, or on unknown weights, are not kept") {
  const test::TempDir dir;
  const Asked asked;
  const fs::path file = dir.path() / "c.sqlite";
  const std::pair<Claimed, InvarianceVerdict> unfit[] = {
      {Claimed("aa", "fast"), InvarianceVerdict::not_promised},
      {Claimed("aa", "pinned"), InvarianceVerdict::broken},
      {Claimed("", "pinned"), InvarianceVerdict::held},
  };
  for (const auto& [backend, verdict] : unfit) {
    keep(asked.open({false, file}, backend, verdict), {answer(0)});
    CHECK_FALSE(fs::exists(file));
  }
}

TEST_CASE("without a word of the user, only pinned runs use the file in the cache folder") {
  const test::TempDir dir;
  const char* before = std::getenv("TARE_CACHE_DIR");
  const std::string kept = before == nullptr ? "" : before;
  setenv("TARE_CACHE_DIR", dir.path().c_str(), 1);
  const Asked asked;
  const fs::path file = dir.path() / "answers.sqlite";
  keep(asked.open({}, Claimed("aa", "fast")), {answer(0)});
  keep(asked.open({}, Claimed("aa", "")), {answer(0)});
  keep(asked.open({true, std::nullopt}, Claimed("aa", "pinned")), {answer(0)});
  CHECK_FALSE(fs::exists(file));
  keep(asked.open({}, Claimed("aa", "pinned")), {answer(0)});
  CHECK(fs::exists(file));
  if (before == nullptr) {
    unsetenv("TARE_CACHE_DIR");
  } else {
    setenv("TARE_CACHE_DIR", kept.c_str(), 1);
  }
}

namespace {

/// Two prompts: the first under given parameters, the second under those of `parameters`.
Asked prompts(core::GenerationParameters parameters) {
  Asked asked;
  asked.tasks.resize(2);
  asked.tasks[1].generation.parameters = parameters;
  asked.plan = {};
  for (const std::size_t task : {0U, 1U}) {
    plan::EncodedRequest request;
    request.task = task;
    request.tokens = {7, 8};
    request.first_scored = 2;
    asked.plan.generations.push_back(task);
    asked.plan.requests.push_back(request);
  }
  return asked;
}

core::Answered text(std::size_t position) {
  return {position, core::Generated{"x", {1}, core::FinishReason::length}};
}

Claimed with_defaults(const base::Value& defaults, bool repeatable = true) {
  Claimed backend("aa", "pinned");
  backend.set_defaults(defaults);
  backend.repeatable_defaults = repeatable;
  return backend;
}

base::Value temperature(double value) {
  base::Dict dict;
  dict.set("temperature", value);
  return dict;
}

}  // namespace

TEST_CASE("answers by a backend's own defaults are found under equal defaults alone") {
  for (const auto parameters :
       {core::GenerationParameters::given_length, core::GenerationParameters::backend}) {
    const test::TempDir dir;
    const Asked asked = prompts(parameters);
    const CacheOption option{false, dir.path() / "c.sqlite"};
    keep(asked.open(option, with_defaults(temperature(0))), {text(0), text(1)});
    CHECK(asked.found(option, with_defaults(temperature(0))) == Positions{0, 1});
    CHECK(asked.found(option, with_defaults(temperature(0.8))) == Positions{0});
    CHECK(asked.found(option, with_defaults({})) == Positions{0});
    CHECK(asked.found(option, with_defaults(temperature(0), false)) == Positions{0});
  }
}

TEST_CASE("answers by defaults that are unknown or sample by chance are not kept") {
  for (const auto& backend : {with_defaults({}), with_defaults(temperature(0), false)}) {
    const test::TempDir dir;
    const Asked asked = prompts(core::GenerationParameters::backend);
    const CacheOption option{false, dir.path() / "c.sqlite"};
    keep(asked.open(option, backend), {text(0), text(1)});
    CHECK(asked.found(option, backend) == Positions{0});
    CHECK(asked.found(option, with_defaults(temperature(0))) == Positions{0});
  }
}

}  // namespace tare::cli
