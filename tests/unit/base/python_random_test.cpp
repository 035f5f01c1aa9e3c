#include "base/python_random.h"

#include <doctest/doctest.h>

#include "support/support.h"

namespace tare::base {
namespace {

using Indices = std::vector<std::size_t>;

Indices indices(const Value& list) {
  Indices out;
  for (const Value& item : list.items()) out.push_back(static_cast<std::size_t>(item.as_int()));
  return out;
}

std::size_t number(const Value& row, std::size_t at) {
  return static_cast<std::size_t>(row.items()[at].as_int());
}

/// The draws follow each other in one generator, so that each also checks how many words the one
/// before it used.
void check_draws(const Value& expected) {
  const std::int64_t seed = expected.find("seed")->as_int();
  CAPTURE(seed);
  PythonRandom random(seed);
  std::vector<std::int64_t> words(700);
  for (std::int64_t& word : words) word = random.next_u32();
  const List& some = expected.find("words")->items();
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(words[i] == some[i].as_int());
    CHECK(words[697 + i] == some[3 + i].as_int());
  }
  for (const Value& real : expected.find("random")->items())
    CHECK(random.random() == real.as_real());
  for (const Value& row : expected.find("bits")->items())
    CHECK(random.bits(static_cast<int>(number(row, 0))) == number(row, 1));
  for (const Value& row : expected.find("below")->items())
    CHECK(random.below(number(row, 0)) == number(row, 1));
  for (const Value& row : expected.find("sample")->items())
    CHECK(random.sample(number(row, 0), number(row, 1)) == indices(row.items()[2]));
  for (const Value& row : expected.find("choices")->items())
    CHECK(random.choices(number(row, 0), number(row, 1)) == indices(row.items()[2]));
  for (const Value& row : expected.find("shuffled")->items())
    CHECK(random.shuffled(number(row, 0)) == indices(row.items()[1]));
}

TEST_CASE("draws are those of random.Random") {
  const Value file = test::load_cases("base/random.json");
  REQUIRE_FALSE(file.find("cases")->items().empty());
  for (const Value& expected : file.find("cases")->items()) check_draws(expected);
}

TEST_CASE("published vectors") {
  CHECK(PythonRandom(1234).next_u32() == 4150886329u);
  CHECK(PythonRandom(1234).sample(100, 5) == Indices{99, 56, 14, 0, 11});
  CHECK(PythonRandom(1234).sample(12000, 5) == Indices{7220, 1914, 122, 1485, 9539});
  CHECK(PythonRandom(0).choices(10, 8) == Indices{8, 7, 4, 2, 5, 4, 7, 3});
  CHECK(PythonRandom(42).shuffled(8) == Indices{3, 4, 6, 7, 2, 5, 0, 1});
}

}  // namespace
}  // namespace tare::base
