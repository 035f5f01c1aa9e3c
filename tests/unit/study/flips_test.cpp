#include "study/flips.h"

#include <doctest/doctest.h>

namespace tare::study {
namespace {

using store::SampledAnswer;

/// A multiple-choice item, right or wrong.
SampledAnswer choice(std::int64_t document, const std::string& chosen, bool right,
                     std::vector<std::string> outputs = {"-1.5", "-2.5"}) {
  SampledAnswer answer;
  answer.doc_id = document;
  answer.filter = "none";
  answer.document_hash = answer.prompt_hash = std::to_string(document);
  answer.prompt = "question " + answer.document_hash;
  answer.target = "1";
  answer.chosen = chosen;
  answer.outputs = std::move(outputs);
  answer.metrics = {{"acc", right ? 1.0 : 0.0}};
  return answer;
}

/// A generated answer through two filters, of which the second one finds it.
std::vector<SampledAnswer> generated(std::int64_t document, const std::string& text, bool strict,
                                     bool flexible) {
  SampledAnswer answer = choice(document, text, strict, {text + "."});
  answer.generated = true;
  answer.filter = "strict";
  answer.metrics = {{"bleu", base::Value(base::List{"a", "b"})}, {"exact_match", strict ? 1 : 0}};
  SampledAnswer other = answer;
  other.filter = "flexible";
  other.metrics = {{"exact_match", flexible ? 1 : 0}};
  return {answer, other};
}

TaskFlips compared(const std::vector<SampledAnswer>& first,
                   const std::vector<SampledAnswer>& second) {
  auto found = compare_answers("t", first, second);
  REQUIRE_MESSAGE(found.has_value(), found.error().text);
  return std::move(*found);
}

TEST_CASE("each kind of change is counted once, and nothing else") {
  const std::vector first{choice(0, "1", true),  choice(1, "1", true),  choice(2, "0", false),
                          choice(3, "0", false), choice(4, "0", false), choice(5, "1", true)};
  const std::vector second{choice(0, "1", true),
                           choice(1, "0", false),
                           choice(2, "1", true),
                           choice(3, "2", false),
                           choice(4, "0", false, {"-1.5", "-2.25"}),
                           choice(5, "1", true)};
  const TaskFlips found = compared(first, second);
  CHECK(found.items == 6);
  CHECK(found.missing == 0);
  CHECK(found.metric == "acc");
  CHECK(found.answers_changed == 3);
  CHECK(found.wrong_to_other == 1);
  CHECK(found.verdicts.only_first == 1);
  CHECK(found.verdicts.only_second == 1);
  CHECK(found.verdicts.both_right == 2);
  CHECK(found.verdicts.both_wrong == 2);
  CHECK(found.scores == 6);
  CHECK(found.scores_changed == 1);
  CHECK(found.texts == 0);
  CHECK(found.first_accuracy() == 0.5);
  CHECK(found.second_accuracy() == 0.5);
  CHECK(found.movement() == 0.0);
  REQUIRE(found.flips.size() == 3);
  const std::vector changes{Change::lost, Change::won, Change::other_wrong};
  for (std::size_t i = 0; i < changes.size(); ++i) {
    CHECK(found.flips[i].document == static_cast<std::int64_t>(i + 1));
    CHECK(found.flips[i].change == changes[i]);
  }
  CHECK(found.flips[0].prompt == "question 1");
  CHECK(found.flips[0].first == "1");
  CHECK(found.flips[0].second == "0");
}

TEST_CASE("equal runs have no flips, and p is 1") {
  const std::vector run{choice(0, "1", true), choice(1, "0", false)};
  const TaskFlips found = compared(run, run);
  CHECK(found.flips.empty());
  CHECK(found.answers_changed == 0);
  CHECK(found.scores_changed == 0);
  CHECK(found.p == 1);
}

TEST_CASE("of several filters and metrics the first that says right or wrong counts") {
  const TaskFlips found = compared(generated(0, "7", false, true), generated(0, "8", false, false));
  CHECK(found.filter == "strict");
  CHECK(found.metric == "exact_match");
  CHECK(found.items == 1);
  CHECK(found.texts == 1);
  CHECK(found.texts_changed == 1);
  CHECK(found.wrong_to_other == 1);
}

TEST_CASE("the same answer from another text is a change of the text alone") {
  std::vector first = generated(0, "7", true, true), second = first;
  for (SampledAnswer& answer : second) answer.outputs = {"7, I think."};
  const TaskFlips found = compared(first, second);
  CHECK(found.answers_changed == 0);
  CHECK(found.texts_changed == 1);
  REQUIRE(found.flips.size() == 1);
  CHECK(found.flips[0].change == Change::output);
}

TEST_CASE("without a metric that says right or wrong, answers are compared all the same") {
  std::vector first{choice(0, "True", true, {"-3.5"})}, second{choice(0, "False", true, {"-3.25"})};
  first[0].metrics = {{"perplexity", -3.5}};
  second[0].metrics = {{"perplexity", -3.25}};
  const TaskFlips found = compared(first, second);
  CHECK(found.metric.empty());
  CHECK(found.verdicts.total() == 0);
  CHECK_FALSE(found.first_accuracy());
  CHECK_FALSE(found.movement());
  CHECK(found.answers_changed == 1);
  REQUIRE(found.flips.size() == 1);
  CHECK(found.flips[0].change == Change::other);
}

TEST_CASE("items without a score, or in one run alone, have no verdict") {
  std::vector first{choice(0, "1", true), choice(1, "1", true), choice(2, "1", true)};
  const std::vector second{choice(1, "1", true), choice(2, "0", false), choice(7, "0", false)};
  first[2].metrics.clear();
  const TaskFlips found = compared(first, second);
  CHECK(found.items == 2);
  CHECK(found.missing == 2);
  CHECK(found.verdicts.total() == 1);
  CHECK(found.flips.at(0).change == Change::other);
}

TEST_CASE("another question under the same number is refused") {
  const std::vector first{choice(0, "1", true)};
  std::vector second = first;
  second[0].prompt_hash = "else";
  CHECK(compare_answers("t", first, second).error().text ==
        "task t: document 0 has another prompt in the second run; wanted runs of the same "
        "questions: the same data, examples, template and limits");
  second[0].document_hash = "else";
  CHECK(compare_answers("t", first, second).error().text.find("another text") != std::string::npos);
}

/// A task in which that many verdicts changed one way, and none the other way.
TaskFlips one_way(std::size_t lost, std::size_t kept) {
  TaskFlips task;
  task.verdicts = {.both_right = kept, .only_first = lost, .only_second = 0, .both_wrong = 0};
  task.p = stats::mcnemar_exact(task.verdicts);
  return task;
}

TEST_CASE("Holm counts the tasks with verdicts; the greatest movement is a size") {
  std::vector tasks{one_way(5, 15), one_way(6, 34), TaskFlips{}};
  adjust(tasks);
  // 2 · 0.5⁵ = 0.0625 and 2 · 0.5⁶ = 0.03125, the smaller one doubled.
  CHECK(tasks[0].adjusted == 0.0625);
  CHECK(tasks[1].adjusted == 0.0625);
  CHECK(tasks[2].adjusted == 1);
  CHECK(greatest_movement(tasks) == 0.25);
  CHECK_FALSE(greatest_movement(std::span(tasks).last(1)));
  const TaskFlips all = together(tasks);
  CHECK(all.verdicts.only_first == 11);
  CHECK(all.verdicts.total() == 60);
  CHECK(all.p == 2.0 / 2048);
}

}  // namespace
}  // namespace tare::study
