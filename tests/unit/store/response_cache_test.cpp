#include "store/response_cache.h"

#include <doctest/doctest.h>

#include <barrier>
#include <bit>
#include <cmath>
#include <limits>
#include <thread>
#include <vector>

#include "base/files.h"
#include "support/support.h"

namespace tare::store {
namespace {

namespace fs = std::filesystem;

base::Value answerer(const std::string& weights = "aa") {
  base::Dict dict;
  dict.set("weights_sha256", weights);
  return dict;
}

ResponseCache open(const fs::path& path, const std::string& weights = "aa") {
  auto cache = ResponseCache::open(path, answerer(weights));
  REQUIRE_MESSAGE(cache.has_value(), cache.error().text);
  return std::move(*cache);
}

std::optional<core::Answer> find(ResponseCache& cache, const std::string& request) {
  auto answer = cache.find(request);
  REQUIRE_MESSAGE(answer.has_value(), answer.error().text);
  return *answer;
}

void add(ResponseCache& cache, const std::string& request, core::Answer answer) {
  const CachedAnswer cached{request, std::move(answer)};
  const auto status = cache.add({&cached, 1});
  REQUIRE_MESSAGE(status.has_value(), status.error().text);
}

std::string refusal(const fs::path& path) {
  const auto checked = ResponseCache::check(path);
  const auto opened = ResponseCache::open(path, answerer());
  REQUIRE_FALSE(checked);
  REQUIRE_FALSE(opened);
  CHECK(checked.error().text == opened.error().text);
  CHECK(checked.error().kind == base::ErrorKind::input);
  return opened.error().text;
}

bool contains(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("log-likelihoods come back to the last bit") {
  const test::TempDir dir;
  const std::vector<double> sums{-1.0 / 3, -0.0, std::nextafter(-2.0, 0.0), -1e-320,
                                 -std::numeric_limits<double>::infinity()};
  {
    ResponseCache cache = open(dir.path() / "new/folder/c.sqlite");
    for (std::size_t i = 0; i < sums.size(); ++i)
      add(cache, std::to_string(i), core::LogLikelihood{sums[i], true});
  }
  ResponseCache cache = open(dir.path() / "new/folder/c.sqlite");
  for (std::size_t i = 0; i < sums.size(); ++i) {
    const auto answer = find(cache, std::to_string(i));
    REQUIRE(answer);
    const auto& value = std::get<core::LogLikelihood>(*answer);
    CHECK(std::bit_cast<std::uint64_t>(value.sum) == std::bit_cast<std::uint64_t>(sums[i]));
    CHECK(value.greedy);
  }
}

TEST_CASE("generated answers come back whole") {
  const test::TempDir dir;
  ResponseCache cache = open(dir.path() / "c.sqlite");
  const core::Generated written{
      std::string("a\0\xC3\xA9\n", 5), {7, -1, 49151}, core::FinishReason::stop_string};
  add(cache, "k", written);
  const auto answer = find(cache, "k");
  REQUIRE(answer);
  const auto& read = std::get<core::Generated>(*answer);
  CHECK(read.text == written.text);
  CHECK(read.tokens == written.tokens);
  CHECK(read.finish == written.finish);
}

TEST_CASE("answers belong to what gave them") {
  const test::TempDir dir;
  ResponseCache first = open(dir.path() / "c.sqlite", "aa");
  CHECK(first.new_answerer());
  add(first, "k", core::LogLikelihood{-1, false});
  ResponseCache other = open(dir.path() / "c.sqlite", "bb");
  CHECK(other.new_answerer());
  CHECK_FALSE(find(other, "k"));
  ResponseCache again = open(dir.path() / "c.sqlite", "aa");
  CHECK_FALSE(again.new_answerer());
  CHECK(find(again, "k"));
  CHECK_FALSE(find(again, "l"));
}

TEST_CASE("many that start at once share one file") {
  const test::TempDir dir;
  constexpr int kWriters = 8, kRounds = 20;
  std::vector<std::string> faults(kWriters);
  {
    std::vector<std::jthread> writers;
    for (int w = 0; w < kWriters; ++w)
      writers.emplace_back([&, w] {
        auto cache = ResponseCache::open(dir.path() / "c.sqlite", answerer());
        if (!cache) {
          faults[w] = cache.error().text;
          return;
        }
        for (int n = 0; n < kRounds; ++n) {
          // Half of the keys are everybody's.
          const int owner = n % 2 == 0 ? w : -1;
          const CachedAnswer one{std::to_string(owner) + " " + std::to_string(n),
                                 core::LogLikelihood{-1.0 * n, false}};
          if (const auto status = cache->add({&one, 1}); !status) faults[w] = status.error().text;
        }
      });
  }
  for (const std::string& fault : faults) CHECK(fault == "");
  ResponseCache cache = open(dir.path() / "c.sqlite");
  for (int w = 0; w < kWriters; ++w)
    for (int n = 0; n < kRounds; ++n) {
      const int owner = n % 2 == 0 ? w : -1;
      CHECK(find(cache, std::to_string(owner) + " " + std::to_string(n)));
    }
}

TEST_CASE("a file that many make at the same moment keeps all of them") {
  // Each round is another chance for two to change the new file at once.
  for (int round = 0; round < 40; ++round) {
    const test::TempDir dir;
    constexpr int kWriters = 16;
    std::vector<std::string> faults(kWriters);
    {
      std::barrier start(kWriters);
      std::vector<std::jthread> writers;
      for (int w = 0; w < kWriters; ++w)
        writers.emplace_back([&, w] {
          start.arrive_and_wait();
          auto cache = ResponseCache::open(dir.path() / "c.sqlite", answerer());
          if (!cache) faults[w] = cache.error().text;
        });
    }
    for (const std::string& fault : faults) CHECK(fault == "");
  }
}

TEST_CASE("a file that is no cache is refused and left as it is") {
  const test::TempDir dir;
  const auto text = dir.write("notes.txt", std::string(3000, 'n'));
  CHECK(contains(refusal(text), "notes.txt: is no SQLite database; name another file"));
  CHECK(base::read_file(text) == std::string(3000, 'n'));

  const auto foreign = dir.path() / "foreign.sqlite";
  {
    auto database = sqlite::Database::open({foreign, ""}, false);
    REQUIRE(database);
    REQUIRE(database->run("CREATE TABLE t (a)"));
  }
  CHECK(contains(refusal(foreign), "is a database of another program"));
  CHECK(contains(refusal(dir.path()), "is a folder; wanted a file"));
}

TEST_CASE("a cache of another version is refused") {
  const test::TempDir dir;
  const auto path = dir.path() / "c.sqlite";
  static_cast<void>(open(path));
  {
    auto database = sqlite::Database::open({path, ""}, false);
    REQUIRE(database);
    REQUIRE(database->run("PRAGMA user_version = 99"));
  }
  CHECK(contains(refusal(path),
                 "has version 99 of the cache; this tare reads version 1; name another"));
}

TEST_CASE("looking at a path makes nothing there") {
  const test::TempDir dir;
  CHECK(ResponseCache::check(dir.path() / "none.sqlite"));
  CHECK_FALSE(fs::exists(dir.path() / "none.sqlite"));
}

TEST_CASE("an answer that cannot be read is as good as none, and is replaced") {
  const test::TempDir dir;
  const auto path = dir.path() / "c.sqlite";
  ResponseCache cache = open(path);
  add(cache, "k", core::Generated{"t", {1}, core::FinishReason::length});
  {
    auto database = sqlite::Database::open({path, ""}, false);
    REQUIRE(database);
    REQUIRE(database->run("UPDATE answers SET tokens = '[1,'"));
  }
  CHECK_FALSE(find(cache, "k"));
  add(cache, "k", core::Generated{"t", {1}, core::FinishReason::length});
  CHECK(find(cache, "k"));
}

}  // namespace tare::store
