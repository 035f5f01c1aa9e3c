#include "compare/pairing.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "compare/comparison.h"
#include "support/support.h"

namespace tare::compare {
namespace {

/// A line as lm-eval writes it.
struct Line {
  int id = 0;
  std::string document = "d";
  std::string prompt = "p";
  std::string target = "t";
  std::string metrics = R"(["acc"], "acc": 1.0)";
};

std::string text_of(const Line& line) {
  return fmt::format(
      R"({{"doc_id": {}, "target": "{}", "arguments": {{"gen_args_0": {{"arg_0": "{}", "arg_1": " x"}}}}, )"
      R"("resps": [[["-1.0", "True"]]], "filter": "none", "doc_hash": "{}", "prompt_hash": "hash of {}", )"
      R"("target_hash": "hash of {}", "metrics": {}}})"
      "\n",
      line.id, line.target, line.prompt, line.document, line.prompt, line.target, line.metrics);
}

/// Two folders of results with one task.
struct Fixture {
  test::TempDir folder;

  void write(const std::string& side, const std::vector<Line>& lines,
             const std::string& shots = "0", const std::string& version = "1.0",
             const std::string& metrics = R"("acc,none": 1.0)") {
    std::string samples;
    for (const Line& line : lines) samples += text_of(line);
    folder.write(side + "/samples_toy.jsonl", samples);
    folder.write(side + "/results.json",
                 fmt::format(R"({{"results": {{"toy": {{{}}}}}, "group_subtasks": {{}}, )"
                             R"("n-shot": {{"toy": {}}}, "versions": {{"toy": {}}}}})",
                             metrics, shots, version));
  }

  [[nodiscard]] base::Result<PairedRuns> pair() const {
    auto sides = read_sides({(folder.path() / "a").string(), (folder.path() / "b").string()});
    REQUIRE_MESSAGE(sides.has_value(), sides.error().text);
    return pair_runs((*sides)[0], (*sides)[1], {});
  }

  [[nodiscard]] std::vector<std::string> differences() const {
    const auto paired = pair();
    REQUIRE_MESSAGE(paired.has_value(), paired.error().text);
    std::vector<std::string> lines;
    for (const Difference& difference : paired->differences) lines.push_back(line_of(difference));
    return lines;
  }
};

TEST_CASE("documents are the same by their hash, whatever their number") {
  Fixture runs;
  runs.write("a", {{0, "x"}, {1, "y"}, {2, "y"}, {3, "z"}});
  runs.write("b", {{0, "y"}, {2, "y"}, {4, "x"}, {5, "z"}});
  const auto paired = runs.pair();
  REQUIRE_MESSAGE(paired.has_value(), paired.error().text);
  CHECK(paired->differences.empty());
  CHECK(paired->items == 4);
  REQUIRE(paired->series.size() == 1);
  CHECK(paired->series[0].pairs.size() == 4);
}

TEST_CASE("equal runs have nothing unlike") {
  Fixture runs;
  for (const char* side : {"a", "b"}) runs.write(side, {{0, "x"}, {1, "y"}});
  CHECK(runs.differences().empty());
}

TEST_CASE("other prompts are told with the first of them and with what may be why") {
  Fixture runs;
  runs.write("a", {{0, "x"}, {1, "y", "Q: two?"}});
  runs.write("b", {{0, "x"}, {1, "y", "Q: one. Q: two?"}}, "1");
  CHECK(
      runs.differences() ==
      std::vector<std::string>{
          R"(toy: 1 of 2 documents have another prompt, the first of them document 1: "Q: two?" in A, )"
          R"("Q: one. Q: two?" in B (few-shot examples 0 in A, 1 in B))"});
}

TEST_CASE("settings that change no prompt are not told") {
  Fixture runs;
  runs.write("a", {{0, "x"}});
  runs.write("b", {{0, "x"}}, "1");
  CHECK(runs.differences().empty());
}

TEST_CASE("other targets, versions and metrics are told") {
  Fixture runs;
  runs.write("a", {{0, "x"}});
  runs.write("b", {{0, "x", "p", "u"}}, "0", "2.0", R"("acc,none": 1.0, "f1,none": 1.0)");
  CHECK(
      runs.differences() ==
      std::vector<std::string>{
          "toy: task version 1.0 in A, 2.0 in B",
          R"(toy: 1 of 1 documents have another target, the first of them document 0: "t" in A, "u" in B)",
          "toy: metric f1 is in B alone"});
}

TEST_CASE("documents of one run alone are counted, and the others are paired") {
  Fixture runs;
  runs.write("a", {{0, "x"}, {1, "y"}, {2, "z"}});
  runs.write("b", {{0, "x"}, {9, "w"}});
  CHECK(
      runs.differences() ==
      std::vector<std::string>{"toy: documents in both: 1, in A alone: 2, in B alone: 1, the first "
                               "of them document 1 of A"});
  CHECK(runs.pair()->series.at(0).pairs.size() == 1);
}

TEST_CASE("documents without a score are counted by their reason") {
  Fixture runs;
  const std::string failed = R"([], "tare": {"responses": [{"failure": "HTTP 503"}]})";
  runs.write("a", {{0, "x"}, {1, "y", "p", "t", failed}, {2, "z", "p", "t", "[]"}});
  runs.write("b", {{0, "x"}, {1, "y"}, {2, "z"}});
  const auto paired = runs.pair();
  REQUIRE(paired);
  CHECK(paired->failed == 2);
  CHECK(paired->series.at(0).failures ==
        std::vector<std::pair<std::string, std::size_t>>{{"HTTP 503", 1}, {"no score", 1}});
}

TEST_CASE("samples that cannot be matched are refused") {
  Fixture runs;
  runs.write("b", {{0, "x"}});
  runs.write("a", {{0, ""}});
  CHECK(runs.pair().error().text.find("document 0 has no doc_hash") != std::string::npos);
  runs.write("a", {{0, "x"}, {0, "x"}});
  CHECK(runs.pair().error().text.find("document 0 stands twice") != std::string::npos);
}

TEST_CASE("two texts are shown from a little before where they part") {
  const auto [first, second] =
      parting("The quick brown fox jumps over it", "The quick brown fox\tran");
  CHECK(first == R"("…ck brown fox jumps over it")");
  CHECK(second == R"("…ck brown fox\tran")");
  const auto [whole, longer] = parting("größe", "größer");
  CHECK(whole == R"("größe")");
  CHECK(longer == R"("größer")");
}

}  // namespace
}  // namespace tare::compare
