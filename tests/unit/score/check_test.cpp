#include <doctest/doctest.h>

#include "score/score.h"
#include "unit/score/tasks.h"

namespace tare {
namespace {

using base::List;
using base::Value;

std::string refusal(const core::BuiltTask& task) {
  const auto checked = score::check_metrics(task);
  return checked ? "" : checked.error().text;
}

core::BuiltTask with_metric(const std::string& name, const std::string& aggregation = "mean") {
  core::BuiltTask task = test::two_choices({0, 1});
  task.metrics = {{name, aggregation, true, {}}};
  return task;
}

TEST_CASE("metrics that are built in pass") {
  for (const char* name : {"acc", "acc_norm", "acc_bytes", "exact_match"})
    CHECK(refusal(with_metric(name)).empty());
  CHECK(refusal(with_metric("f1", "f1")).empty());
  CHECK(refusal(with_metric("mcc", "matthews_corrcoef")).empty());
  CHECK(refusal(with_metric("acc", "")).empty());
}

TEST_CASE("a metric of another output type is refused by name") {
  CHECK(refusal(with_metric("bleu", "bleu")) ==
        "task toy, metric bleu: not for multiple_choice tasks; there is acc, f1, mcc, acc_norm, "
        "acc_bytes, exact_match, brier_score, acc_mutual_info or bypass");
  CHECK(refusal(with_metric("perplexity")).find("not for multiple_choice tasks") !=
        std::string::npos);
}

TEST_CASE("an unknown metric is refused with the nearest names") {
  CHECK(refusal(with_metric("acc_nrom")) ==
        "task toy, metric acc_nrom: unknown; did you mean acc_norm? (metric_list)");
  CHECK(refusal(with_metric("something_else")).find("unknown; did you mean acc, ") !=
        std::string::npos);
}

TEST_CASE("an aggregation must exist and fit the metric's values") {
  CHECK(refusal(with_metric("acc", "bleu")) ==
        "task toy, metric acc: aggregation bleu is not for the values of this metric; use mean, "
        "nanmean, median or "
        "perplexity");
  CHECK(refusal(with_metric("f1", "mean")) ==
        "task toy, metric f1: aggregation mean is not for the values of this metric; use f1 or "
        "matthews_corrcoef");
}

TEST_CASE("generated answers have metrics of their own") {
  core::BuiltTask task;
  task.name = "toy";
  task.output_type = core::OutputType::generate_until;
  task.metrics = {{"acc", "mean", true, {}}};
  CHECK(refusal(task) ==
        "task toy, metric acc: not for generate_until tasks; there is exact_match, bleu, chrf, "
        "chrf++, ter or bypass");
  base::Dict arguments;
  arguments.set("ignore_spaces", true);
  task.metrics = {{"exact_match", "mean", true, arguments}};
  CHECK(refusal(task) ==
        "task toy, metric exact_match: unknown argument 'ignore_spaces'; it takes "
        "regexes_to_ignore, ignore_case, ignore_punctuation or ignore_numbers");
}

TEST_CASE("a target must be of the kind that the first document has") {
  CHECK(refusal(test::two_choices({0, 1.5})) ==
        "task toy, doc 1: the target is 1.5 (float), wanted an index or the text of a choice, as "
        "the first document has; correct doc_to_target");
  CHECK(refusal(test::two_choices({Value(List{0}), 1})) ==
        "task toy, doc 1: the target is 1 (int), wanted a list of indices, as the first document "
        "has; correct doc_to_target");
  CHECK(refusal(test::two_choices({0, Value(List{1})})).find("the target is [1] (list)") !=
        std::string::npos);
  CHECK(refusal(test::two_choices({Value(List{0, "b"})})).find("the target is [0, 'b'] (list)") !=
        std::string::npos);
  CHECK_FALSE(refusal(test::two_choices({Value()})).empty());
}

TEST_CASE("multiple-input mode needs the index from doc_to_text") {
  core::BuiltTask task = test::two_choices({"same text"});
  task.multiple_input = true;
  CHECK(refusal(task).find("wanted an index from doc_to_text") != std::string::npos);
  task.golds[0].choice = 1;
  CHECK(refusal(task).empty());
}

TEST_CASE("a metric of one target refuses lists") {
  core::BuiltTask task = test::two_choices({Value(List{0, 1})});
  task.metrics = {{"f1", "f1", true, {}}};
  CHECK(refusal(task) ==
        "task toy, metric f1: targets are lists, the metric takes one target a document; remove it "
        "from metric_list");
}

TEST_CASE("requests must match choices") {
  core::BuiltTask task = with_metric("acc_mutual_info");
  CHECK(refusal(task) == "task toy, doc 0: 2 requests for 2 choices, wanted 4");
  task = with_metric("acc");
  task.golds[1].choices.clear();
  CHECK(refusal(task) == "task toy, doc 1: 2 requests for 0 choices, wanted 1");
  task = with_metric("perplexity", "perplexity");
  task.output_type = core::OutputType::loglikelihood;
  CHECK(refusal(task) == "task toy, doc 0: 2 requests, wanted 1");
}

TEST_CASE("a metric that is listed twice counts once, as its last entry says") {
  core::BuiltTask task = test::two_choices({0});
  task.metrics = {
      {"acc", "mean", true, {}}, {"acc_norm", "mean", true, {}}, {"acc", "median", false, {}}};
  const std::vector<core::Response> responses{test::answered(-1), test::answered(-2)};
  const auto score = score::score_task(task, responses);
  REQUIRE(score.has_value());
  REQUIRE(score->estimates.size() == 2);
  CHECK(score->estimates[0].metric == "acc");
  CHECK_FALSE(score->estimates[0].higher_is_better);
}

TEST_CASE("responses must match requests") {
  const auto score = score::score_task(test::two_choices({0}), {});
  REQUIRE_FALSE(score.has_value());
  CHECK(score.error().text == "task toy: 0 responses, wanted 2");
}

}  // namespace
}  // namespace tare
