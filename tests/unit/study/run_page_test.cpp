#include "study/run_page.h"

#include <doctest/doctest.h>

#include <cmath>

#include "study/run_page_items.h"

namespace tare {
namespace {

using store::ItemAnswer;
using store::SampledItem;

/// A question with two choices, of which the one at `chosen` is likelier.
SampledItem choice(std::int64_t id, std::size_t chosen, bool right) {
  SampledItem item;
  item.doc_id = id;
  item.document_hash = "d" + std::to_string(id);
  item.prompt_hash = "p" + std::to_string(id);
  item.target = "0";
  for (const std::size_t i : {0, 1}) {
    ItemAnswer answer;
    answer.log_likelihood = i == chosen ? -0.5 : -1.5;
    answer.tokens = {1, 2, static_cast<core::Token>(3 + i)};
    answer.continuation = 1;
    item.requests.push_back({"Q", i == 0 ? " yes" : " no", {answer}});
  }
  item.filters.push_back({"none", {}, {{"acc", right ? 1.0 : 0.0}}});
  return item;
}

study::ShownRun run_named(const std::string& name) {
  study::ShownRun run;
  run.record.model_name = name;
  core::TaskRecord task;
  task.task.name = "t";
  task.score.estimates.push_back({"acc", "none", 0.5, 0.1, true, 2});
  run.record.tasks.push_back(task);
  return run;
}

const base::Value& at(const base::Value& value, const char* key) {
  const base::Value* found = value.find(key);
  REQUIRE_MESSAGE(found != nullptr, key);
  return *found;
}

base::Value summary_of(const std::vector<study::ShownRun>& runs, const study::ItemsByRun& items) {
  study::RunPage page(runs, "1");
  page.add("t", items);
  return page.finish().summary;
}

}  // namespace

TEST_CASE("rows pair items by their number, and keep what one run alone was asked") {
  const study::ItemsByRun items{{{choice(4, 0, true), choice(2, 1, false)}},
                                {{choice(2, 0, true), choice(9, 0, true)}}};
  const auto rows = study::item_rows(items);
  REQUIRE(rows.size() == 3);
  CHECK(rows[0][1] == nullptr);
  CHECK(rows[1][0]->doc_id == 2);
  CHECK(rows[1][1]->doc_id == 2);
  CHECK(rows[2][0] == nullptr);
  CHECK(rows[2][1]->doc_id == 9);
}

TEST_CASE("the index tells verdicts, answers and what differs between runs") {
  SampledItem other = choice(2, 0, true);
  other.prompt_hash = "another";
  SampledItem failed = choice(3, 0, false);
  failed.filters[0].metrics.clear();
  failed.requests[1].answers[0] = {};
  failed.requests[1].answers[0].failure = "HTTP 500";
  const study::ItemsByRun items{{{choice(1, 0, true), choice(2, 1, false), failed}},
                                {{choice(1, 0, true), other}}};
  const auto rows = study::item_rows(items);
  const auto judge = study::judge_of(rows);
  CHECK(judge.metric == "acc");
  CHECK(judge.verdict);
  const base::Value index = study::index_of(rows, judge, 2);
  const base::List& runs = at(index, "runs").items();
  CHECK(at(runs[0], "verdicts").as_string() == "10f");
  CHECK(at(runs[1], "verdicts").as_string() == "11.");
  CHECK(at(runs[1], "same").as_string() == "=p.");
  CHECK(at(runs[0], "answer_classes").as_string() == "aaa");
  CHECK(at(runs[1], "answer_classes").as_string() == "ab.");
  CHECK(at(runs[0], "answers").items()[1].as_string() == "no");
}

TEST_CASE("a metric that is no verdict is shown as a number") {
  SampledItem item = choice(1, 0, true);
  item.filters[0].metrics = {{"f1", 0.25}};
  const study::ItemsByRun items{{{item}}};
  const auto rows = study::item_rows(items);
  const auto judge = study::judge_of(rows);
  CHECK_FALSE(judge.verdict);
  const base::Value index = study::index_of(rows, judge, 1);
  CHECK(at(at(index, "runs").items()[0], "verdicts").as_string() == "?");
  CHECK(at(at(index, "runs").items()[0], "values").items()[0].as_real() == 0.25);
}

TEST_CASE("pairs are counted by direction, and another document is no pair") {
  SampledItem other = choice(3, 0, true);
  other.document_hash = "another";
  const study::ItemsByRun items{{{choice(1, 0, true), choice(2, 1, false), choice(3, 0, true)}},
                                {{choice(1, 1, false), choice(2, 1, false), other}}};
  const base::Value summary = summary_of({run_named("a"), run_named("b")}, items);
  const base::Value& pair = at(at(summary, "tasks").items()[0], "pairs").items()[1];
  CHECK(at(pair, "pairs").as_int() == 2);
  CHECK(at(pair, "lost").as_int() == 1);
  CHECK(at(pair, "won").as_int() == 0);
  CHECK(at(pair, "other_documents").as_int() == 1);
  CHECK(at(pair, "difference").as_number() == -0.5);
  CHECK(at(pair, "p").as_number() == 1);
  CHECK(at(summary, "warnings").items().size() == 1);
}

TEST_CASE("a share of items has Wilson's interval, another score that of its standard error") {
  const study::ItemsByRun items{{{choice(1, 0, true), choice(2, 1, false)}}};
  auto run = run_named("a");
  run.record.tasks[0].score.estimates.push_back({"ppl", "none", 10, 1, false, 2});
  const base::Value summary = summary_of({run}, items);
  const base::List& scores = at(at(summary, "tasks").items()[0], "scores").items()[0].items();
  CHECK(at(at(scores[0], "interval"), "method").as_string() == "Wilson");
  // Wilson's interval of 1 of 2, by its formula.
  CHECK(at(at(scores[0], "interval"), "low").as_number() == doctest::Approx(0.0945).epsilon(0.001));
  CHECK(at(at(scores[1], "interval"), "high").as_number() == doctest::Approx(11.96).epsilon(0.001));
}

TEST_CASE("tokens are kept where their texts are known and read as the prompt") {
  const study::ItemsByRun items{{{choice(1, 0, true)}}};
  const auto rows = study::item_rows(items);
  const study::Pieces fitting = [](core::Token token) {
    return std::string(token == 2 ? "Q" : token == 3 ? " yes" : "");
  };
  CHECK(study::pieces_fit(rows, 0, fitting));
  CHECK_FALSE(study::pieces_fit(rows, 0, [](core::Token) { return std::string("x"); }));
  const std::vector<study::Pieces> known{fitting}, unknown{study::Pieces()};
  const base::Value with = study::details_of(rows[0], known);
  CHECK(at(with.items()[0], "shared_tokens") == base::Value(base::List{1, 2}));
  CHECK(study::details_of(rows[0], unknown).items()[0].find("shared_tokens") == nullptr);
  const auto bytes = study::vocabulary_of(rows, 0, [](core::Token) { return std::string("\xc3"); });
  CHECK(at(bytes, "4").as_string() == "\u00c3");
}

TEST_CASE("runs without samples still show their scores") {
  const base::Value summary = summary_of({run_named("a")}, {std::nullopt});
  const base::Value& task = at(summary, "tasks").items()[0];
  CHECK(at(task, "index").is_none());
  CHECK(at(task, "items").as_int() == 0);
  CHECK(at(summary, "warnings").items().size() == 1);
}

namespace {

/// A run of ten documents of which `right` are right, with lm-eval's standard error of a share.
study::ShownRun run_of_ten(double right) {
  study::ShownRun run = run_named("a");
  core::Estimate& acc = run.record.tasks[0].score.estimates[0];
  acc.value = right / 10;
  acc.standard_error = std::sqrt(acc.value * (1 - acc.value) / 9);
  run.documents["t"] = {10, 10, 10};
  return run;
}

std::vector<SampledItem> choices(std::int64_t number, std::int64_t right) {
  std::vector<SampledItem> items;
  for (std::int64_t i = 0; i < number; ++i) items.push_back(choice(i, 0, i < right));
  return items;
}

std::vector<std::string> warning_codes(const base::Value& summary) {
  std::vector<std::string> codes;
  for (const base::Value& warning : at(summary, "warnings").items())
    codes.push_back(at(warning, "code").as_string());
  return codes;
}

const base::Value& first_interval(const base::Value& summary) {
  const base::Value& scores = at(at(summary, "tasks").items()[0], "scores").items()[0];
  return at(scores.items()[0], "interval");
}

void check_interval(const base::Value& interval, const char* method, double low, double high) {
  CHECK(at(interval, "method").as_string() == method);
  CHECK(at(interval, "low").as_number() == doctest::Approx(low).epsilon(0.0005));
  CHECK(at(interval, "high").as_number() == doctest::Approx(high).epsilon(0.0005));
}

}  // namespace

TEST_CASE("samples that are not those of the results are told first, and change no interval") {
  const study::ShownRun run = run_of_ten(3);
  auto twice = choices(10, 3);
  for (SampledItem& item : twice) item.filters.push_back(item.filters[0]);
  const std::vector<std::pair<study::ItemsByRun, std::vector<std::string>>> cases{
      {{choices(10, 3)}, {}},
      {{choices(5, 3)}, {"fewer-samples"}},
      {{choices(0, 0)}, {"fewer-samples"}},
      {{choices(12, 3)}, {"more-samples"}},
      {{twice}, {"repeated-samples"}},
      {{std::nullopt}, {"no-samples"}},
  };
  for (const auto& [items, codes] : cases) {
    const base::Value summary = summary_of({run}, items);
    CHECK(warning_codes(summary) == codes);
    // Wilson's interval of 3 of 10, by its formula.
    check_interval(first_interval(summary), "Wilson", 0.10779, 0.60322);
  }
}

TEST_CASE("how the samples differ is told before what differs between runs") {
  study::ShownRun second = run_of_ten(3);
  const base::Value summary = summary_of({run_of_ten(3), second}, {choices(10, 3), choices(4, 3)});
  CHECK(warning_codes(summary) == std::vector<std::string>{"fewer-samples", "one-sided"});
  const base::Value& told = at(summary, "warnings").items()[0];
  CHECK(at(told, "text").as_string() ==
        "t: run B: the samples hold 4 of 10 documents; the items are not all that the score is of");
  CHECK(at(told, "count").as_int() == 6);
}

TEST_CASE("lines that one filter lacks are told with its name") {
  study::ShownRun run = run_of_ten(3);
  run.record.tasks[0].score.estimates.push_back({"acc", "strict", 0.3, 0.1, true, 10});
  const base::Value summary = summary_of({run}, {choices(10, 3)});
  CHECK(at(at(summary, "warnings").items()[0], "text").as_string() ==
        "t: run A: the samples hold 0 of 10 documents by the filter strict; the items are not all "
        "that the score is of");
}

TEST_CASE("a missing file of one task is told from a run without samples") {
  study::ShownRun run = run_of_ten(3);
  const auto text = [&] {
    const base::Value summary = summary_of({run}, {std::nullopt});
    return at(at(summary, "warnings").items()[0], "text").as_string();
  };
  CHECK(text().find("kept no samples (--no-samples") != std::string::npos);
  run.samples_kept = true;
  CHECK(text().find("the samples file is not there") != std::string::npos);
}

TEST_CASE("no interval of a share leaves 0 to 1, with samples or without") {
  study::ShownRun run = run_of_ten(0);
  check_interval(first_interval(summary_of({run}, {std::nullopt})), "Wilson", 0, 0.27753);
  core::Estimate& estimate = run.record.tasks[0].score.estimates[0];
  // Scores from 0 to 1 that are not all 0 or 1.
  estimate = {"f1", "none", 0.1, 0.09, true, 10};
  auto items = choices(10, 0);
  for (SampledItem& item : items) item.filters[0].metrics = {{"f1", 0.0}};
  items[0].filters[0].metrics = {{"f1", 0.95}};
  check_interval(first_interval(summary_of({run}, {items})), "standard error", 0, 0.27640);
  // What no items tell to be a share stays as it is; BLEU of 0 is none.
  check_interval(first_interval(summary_of({run}, {std::nullopt})), "standard error", -0.07640,
                 0.27640);
  estimate = {"bleu", "none", 0, 0, true, 10};
  check_interval(first_interval(summary_of({run}, {std::nullopt})), "standard error", 0, 0);
}

TEST_CASE("a group of shares keeps to 0 to 1, though a file names it in itself") {
  study::ShownRun run = run_of_ten(1);
  core::GroupRecord group;
  group.name = "g";
  group.children = {"t", "g"};
  group.estimates = {{"acc", "none", 0.1, 0.1, true, 10}};
  run.record.groups = {group};
  const base::Value summary = summary_of({run}, {std::nullopt});
  const base::Value& told = at(summary, "groups").items()[0].items()[0];
  check_interval(at(at(told, "scores").items()[0], "interval"), "standard error", 0, 0.29600);
}

}  // namespace tare
