#include "compare/pairing.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "compare/choice.h"
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
  std::string filter = "none";
};

std::string text_of(const Line& line) {
  return fmt::format(
      R"({{"doc_id": {}, "target": "{}", "arguments": {{"gen_args_0": {{"arg_0": "{}", "arg_1": " x"}}}}, )"
      R"("resps": [[["-1.0", "True"]]], "filter": "{}", "doc_hash": "{}", "prompt_hash": "hash of {}", )"
      R"("target_hash": "hash of {}", "metrics": {}}})"
      "\n",
      line.id, line.target, line.prompt, line.filter, line.document, line.prompt, line.target,
      line.metrics);
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

  /// Why there is nothing to compare; "" if there is something.
  [[nodiscard]] std::string nothing(const Chosen& chosen = {}) const {
    auto sides = read_sides({(folder.path() / "a").string(), (folder.path() / "b").string()});
    REQUIRE_MESSAGE(sides.has_value(), sides.error().text);
    const auto paired = pair_with_first(*sides, 1, chosen);
    if (!paired) return told(paired.error().text);
    const auto compared = check_compared((*sides)[0], (*sides)[1], chosen, *paired);
    return compared ? "" : told(compared.error().text);
  }

  /// Without the folder's name.
  [[nodiscard]] std::string told(std::string text) const {
    const std::string name = folder.path().string() + "/";
    for (auto at = text.find(name); at != std::string::npos; at = text.find(name))
      text.erase(at, name.size());
    return text;
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
                               "of them document 1 of A, \"p\""});
  CHECK(runs.pair()->series.at(0).pairs.size() == 1);
}

TEST_CASE("samples that were emptied are documents that are missing, on either side") {
  Fixture runs;
  runs.write("a", {});
  runs.write("b", {{0, "x"}, {1, "y", ""}});
  CHECK(runs.differences() ==
        std::vector<std::string>{"toy: documents in both: 0, in A alone: 0, in B alone: 2, the "
                                 "first of them document 0 of B, \"p\""});
  runs.write("a", {{0, "x"}, {1, "y", ""}});
  runs.write("b", {{0, "x"}});
  CHECK(runs.differences() ==
        std::vector<std::string>{"toy: documents in both: 1, in A alone: 1, in B alone: 0, the "
                                 "first of them document 1 of A, of hash y"});
  const std::string nothing =
      "a/results.json and b/results.json have no document in common, so that there is nothing to "
      "compare; wanted samples of the same documents";
  runs.write("a", {});
  CHECK(runs.nothing() == nothing);
  runs.write("b", {});
  CHECK(runs.differences().empty());
  CHECK(runs.nothing() == nothing);
}

const std::string kScores = R"("acc,none": 1.0, "acc,strict": 1.0)";

std::vector<Line> filtered(const std::vector<int>& none, const std::vector<int>& strict) {
  std::vector<Line> lines;
  const auto add = [&](const std::vector<int>& documents, const char* filter) {
    for (const int id : documents) {
      Line& line = lines.emplace_back();
      line.id = id;
      line.document = fmt::format("d{}", id);
      line.filter = filter;
    }
  };
  add(strict, "strict");
  add(none, "none");
  return lines;
}

TEST_CASE("lines that one filter lacks are told, whichever filter is the first") {
  Fixture runs;
  runs.write("a", filtered({0, 1, 2, 3}, {0, 1, 2, 3}), "0", "1.0", kScores);
  runs.write("b", filtered({0, 2}, {0, 1, 2, 3}), "0", "1.0", kScores);
  const std::vector<std::string> lacking{
      "toy: 2 of 4 documents have no answer of filter none: 0 in A, 2 in B, the first of them "
      "document 1"};
  CHECK(runs.differences() == lacking);
  CHECK(runs.pair()->items == 4);
  runs.write("b", filtered({0, 1, 2, 3}, {}), "0", "1.0", kScores);
  CHECK(runs.differences() ==
        std::vector<std::string>{"toy: 4 of 4 documents have no answer of filter strict: 0 in A, 4 "
                                 "in B, the first of them document 0"});
  CHECK(runs.pair()->items == 4);
  for (const char* side : {"a", "b"})
    runs.write(side, filtered({0, 2}, {0, 1, 2, 3}), "0", "1.0", kScores);
  CHECK(runs.differences() ==
        std::vector<std::string>{"toy: 2 of 4 documents have no answer of filter none: 2 in A, 2 "
                                 "in B, the first of them document 1"});
}

TEST_CASE("a filter with another name is a metric that each has alone") {
  Fixture runs;
  runs.write("a", filtered({0, 1}, {0, 1}), "0", "1.0", kScores);
  auto lines = filtered({0, 1}, {0, 1});
  for (Line& line : lines)
    if (line.filter == "strict") line.filter = "other";
  runs.write("b", lines, "0", "1.0", R"("acc,none": 1.0, "acc,other": 1.0)");
  CHECK(runs.differences() == std::vector<std::string>{"toy: metric acc,strict is in A alone",
                                                       "toy: metric acc,other is in B alone"});
  CHECK(runs.pair()->items == 2);
  for (const char* side : {"a", "b"})
    runs.write(side, side == std::string("a") ? filtered({0}, {0}) : filtered({0}, {}));
  CHECK(runs.differences() ==
        std::vector<std::string>{"toy: answers of filter strict are in A alone"});
}

TEST_CASE("a failure under any filter counts") {
  Fixture runs;
  auto lines = filtered({0, 1}, {0, 1});
  runs.write("a", lines, "0", "1.0", kScores);
  lines.back().metrics = R"([], "tare": {"responses": [{"failure": "HTTP 503"}]})";
  runs.write("b", lines, "0", "1.0", kScores);
  CHECK(runs.pair()->failed == 1);
}

TEST_CASE("of a filter's lines the questions are those of the others") {
  Fixture runs;
  runs.write("b", filtered({0}, {0}), "0", "1.0", kScores);
  auto lines = filtered({0}, {0});
  lines.back().prompt = "another";
  runs.write("a", lines, "0", "1.0", kScores);
  CHECK(runs.pair().error().text.find("document 0 has other hashes") != std::string::npos);
}

TEST_CASE("where nothing is in common, that is told with what there is") {
  Fixture runs;
  runs.write("a", {{0, "x"}});
  runs.write("b", {{0, "x"}}, "0", "1.0", R"("f1,none": 1.0)");
  CHECK(runs.nothing() ==
        "a/results.json and b/results.json have no metric in common, so that there is nothing to "
        "compare: acc in the first, f1 in the second; wanted a metric that both have");
  CHECK(runs.nothing({{}, {"acc"}}).find("no metric of --metric acc in common") !=
        std::string::npos);
  runs.write("b", {{0, "x"}});
  CHECK(runs.nothing().empty());
  CHECK(runs.nothing({{"toy"}, {"acc,none"}}).empty());
  CHECK(runs.nothing({{}, {"acd"}}) == "--metric acd: is in none of the runs; wanted e.g. acc");
  std::vector<Side> sides(2);
  for (const char* name : {"p", "q"}) sides[0].run.record.tasks.emplace_back().task.name = name;
  sides[0].run.files.results = "a.json";
  sides[1].run.files.results = "b.json";
  CHECK(check_common_task(sides[0], sides[1], {{"q"}, {}}).error().text ==
        "a.json and b.json have no task of --tasks q in common: q in the first, none in the "
        "second; wanted runs of the same tasks");
  CHECK(check_common_task(sides[0], sides[1], {})
            .error()
            .text.find("no task in common: p, q in the first") != std::string::npos);
}

TEST_CASE("a metric with its filter stays one name, though a comma parts names") {
  std::vector<Side> sides(1);
  core::TaskRecord& task = sides[0].run.record.tasks.emplace_back();
  for (const char* filter : {"strict", "loose"}) {
    core::Estimate& estimate = task.score.estimates.emplace_back();
    estimate.metric = "match";
    estimate.filter = filter;
  }
  task.score.estimates.emplace_back().metric = "acc";
  using Names = std::vector<std::string>;
  CHECK(whole_metrics(sides, {"match", "strict"}) == Names{"match,strict"});
  CHECK(whole_metrics(sides, {"acc", "match", "loose", "match"}) ==
        Names{"acc", "match,loose", "match"});
  CHECK(whole_metrics(sides, {"match", "acc", "none"}) == Names{"match", "acc,none"});
  CHECK(whole_metrics(sides, {"strict"}) == Names{"strict"});
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
