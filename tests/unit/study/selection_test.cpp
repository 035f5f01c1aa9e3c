#include "study/selection.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <set>

namespace tare {
namespace {

using Sizes = std::vector<std::size_t>;

study::Stratum stratum(const std::string& task, const std::string& name, std::size_t size,
                       std::size_t first = 0) {
  study::Stratum one{task, name, {}};
  for (std::size_t i = 0; i < size; ++i) one.documents.push_back(first + i);
  return one;
}

}  // namespace

TEST_CASE("places are given in proportion, at least one each where they reach") {
  CHECK(study::allocate(10, Sizes{50, 30, 20}) == Sizes{5, 3, 2});
  CHECK(study::allocate(10, Sizes{1000, 1, 1}) == Sizes{8, 1, 1});
  CHECK(study::allocate(2, Sizes{5, 5, 5}) == Sizes{1, 1, 0});
  CHECK(study::allocate(100, Sizes{3, 4}) == Sizes{3, 4});
  CHECK(study::allocate(3, Sizes{0, 9}) == Sizes{0, 3});
  CHECK(study::allocate(0, Sizes{4}) == Sizes{0});
}

TEST_CASE("all places are given, and no stratum gets more than it has") {
  std::mt19937 random(1);
  for (int i = 0; i < 500; ++i) {
    Sizes sizes(1 + random() % 60);
    for (std::size_t& size : sizes) size = random() % 200;
    const std::size_t all = std::accumulate(sizes.begin(), sizes.end(), std::size_t{0});
    const std::size_t limit = random() % 300;
    const Sizes places = study::allocate(limit, sizes);
    CHECK(std::accumulate(places.begin(), places.end(), std::size_t{0}) == std::min(limit, all));
    for (std::size_t k = 0; k < sizes.size(); ++k) CHECK(places[k] <= sizes[k]);
  }
}

TEST_CASE("a sample depends on the seed alone, and another stratum does not change it") {
  const std::vector<study::Stratum> two{stratum("a", "x", 40), stratum("a", "y", 40, 40)};
  const auto chosen = study::select(two, 10, 42);
  CHECK(chosen == study::select(two, 10, 42));
  CHECK(chosen != study::select(two, 10, 43));
  CHECK(chosen.at("a").size() == 10);
  CHECK(std::ranges::is_sorted(chosen.at("a")));
  std::vector<study::Stratum> three = two;
  three.push_back(stratum("b", "", 40));
  CHECK(study::select(three, 15, 42).at("a") == chosen.at("a"));
}

TEST_CASE("more places of a stratum take the same documents and more") {
  const std::vector<study::Stratum> one{stratum("a", "", 30)};
  const auto few = study::select(one, 5, 1).at("a");
  const auto many = study::select(one, 12, 1).at("a");
  const std::set<std::size_t> all(many.begin(), many.end());
  for (const std::size_t document : few) CHECK(all.contains(document));
}

}  // namespace tare
