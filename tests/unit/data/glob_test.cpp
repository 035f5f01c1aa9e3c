#include "data/glob.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "support/support.h"

namespace tare::data {
namespace {

TEST_CASE("one component") {
  CHECK(component_matches("*.csv", "x.csv"));
  CHECK(component_matches("*", ""));
  CHECK(component_matches("a*b*c", "a-b-b-c"));
  CHECK(!component_matches("a*b*c", "a-b-b"));
  CHECK(component_matches("?", "é"));
  CHECK(!component_matches("?", ""));
  CHECK(component_matches("[-._ 0-9]x", "-x"));
  CHECK(component_matches("[-._ 0-9]x", "7x"));
  CHECK(!component_matches("[-._ 0-9]x", "ax"));
  CHECK(component_matches("[!a-c]", "d"));
  CHECK(!component_matches("[!a-c]", "b"));
  CHECK(component_matches("[]]", "]"));
  CHECK(component_matches("[a", "[a"));
  CHECK(!component_matches("Train", "train"));
}

TEST_CASE("paths: ** is any number of components, at the end at least one") {
  CHECK(path_matches("**", "x"));
  CHECK(path_matches("**", "a/b/x"));
  CHECK(path_matches("**/x", "x"));
  CHECK(path_matches("a/**/x", "a/x"));
  CHECK(path_matches("a/**/x", "a/b/c/x"));
  CHECK(path_matches("a/**", "a/b"));
  CHECK(!path_matches("a/**", "a"));
  CHECK(!path_matches("*", "a/b"));
  CHECK(!path_matches("a/*", "a/b/c"));
  CHECK(path_matches("./a/*", "a/b"));
}

TEST_CASE("what is hidden or special must be spelt out") {
  CHECK(!path_matches("**", ".git/x"));
  CHECK(!path_matches("*", ".x"));
  CHECK(path_matches(".*", ".x"));
  CHECK(path_matches(".git/**", ".git/x"));
  CHECK(!path_matches("**", "__pycache__/x"));
  CHECK(path_matches("**", "__x"));
  CHECK(path_matches("__pycache__/*", "__pycache__/x"));
}

TEST_CASE("hostile patterns end") {
  const std::string name(300, 'a');
  std::string pattern;
  for (int i = 0; i < 60; ++i) pattern += "*a";
  CHECK(!component_matches(pattern + "b", name));
  std::string deep = "b";
  std::string path = "a";
  for (int i = 0; i < 60; ++i) {
    deep = "**/a/" + deep;
    path += "/a";
  }
  CHECK(!path_matches(deep, path));
}

TEST_CASE("files come sorted by path, folders and what is missing are none") {
  const test::TempDir folder;
  for (const char* name : {"b.csv", "a.csv", "a/z.csv", "a-b/c.csv"}) folder.write(name, "");
  const auto names = [&](const std::string& pattern) {
    std::vector<std::string> found;
    for (const auto& file : find_files(pattern, {folder.path(), {}}))
      found.push_back(file.lexically_relative(folder.path()).generic_string());
    return found;
  };
  using Names = std::vector<std::string>;
  CHECK(names("**/*.csv") == Names{"a-b/c.csv", "a.csv", "a/z.csv", "b.csv"});
  CHECK(names("*.csv") == Names{"a.csv", "b.csv"});
  CHECK(names("a/*") == Names{"a/z.csv"});
  CHECK(names("a/../b.csv").size() == 1);
  CHECK(names("a").empty());
  CHECK(names("nope.csv").empty());
  CHECK(names("nope/*").empty());
  CHECK(find_files((folder.path() / "*.csv").string(), {"/nowhere", {}}).size() == 2);
  CHECK(list_files({folder.path(), {}}).size() == 4);
}

}  // namespace
}  // namespace tare::data
