#include "base/nearest.h"

#include <doctest/doctest.h>

#include <algorithm>

namespace tare::base {
namespace {

using Names = std::vector<std::string>;

/// The definition, without any table.
std::size_t slow_distance(std::string_view a, std::string_view b) {
  if (a.empty() || b.empty()) return a.size() + b.size();
  const std::size_t replaced = slow_distance(a.substr(1), b.substr(1)) + (a[0] == b[0] ? 0 : 1);
  return std::min({replaced, slow_distance(a.substr(1), b) + 1, slow_distance(a, b.substr(1)) + 1});
}

TEST_CASE("edit distance is what its definition says") {
  const Names words = {"", "a", "b", "ab", "ba", "abc", "kitten", "sitting", "aaaa", "banana"};
  for (const std::string& a : words)
    for (const std::string& b : words) CHECK(edit_distance(a, b) == slow_distance(a, b));
  CHECK(edit_distance("kitten", "sitting") == 3);
}

TEST_CASE("the nearest names come first, the far ones not at all") {
  const Names tasks = {"arc_easy", "arc_challenge", "hellaswag", "mmlu", "arc_eazy", "piqa"};
  CHECK(nearest_names("arc_esy", tasks) == Names{"arc_easy", "arc_eazy"});
  CHECK(nearest_names("hellaswagg", tasks) == Names{"hellaswag"});
  CHECK(nearest_names("mmul", tasks) == Names{"mmlu"});
  CHECK(nearest_names("something_else", tasks).empty());
  CHECK(nearest_names("g1", Names{"hf"}).empty());
  CHECK(nearest_names("ab", Names{"ax", "ay", "az", "aw"}, 2) == Names{"ax", "ay"});
}

TEST_CASE("names are joined for a question") {
  CHECK(join_or({}).empty());
  CHECK(join_or(Names{"a"}) == "a");
  CHECK(join_or(Names{"a", "b"}) == "a or b");
  CHECK(join_or(Names{"a", "b", "c"}) == "a, b or c");
}

}  // namespace
}  // namespace tare::base
