#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "score/score.h"
#include "unit/score/tasks.h"

namespace tare {
namespace {

using test::answered;
using test::failed;

core::TaskScore scored(const core::BuiltTask& task, const std::vector<core::Response>& responses) {
  auto score = score::score_task(task, responses);
  REQUIRE_MESSAGE(score.has_value(), score.error().text);
  return *score;
}

const core::Warning* find(const core::TaskScore& score, const std::string& code) {
  for (const core::Warning& warning : score.warnings)
    if (warning.code == code) return &warning;
  return nullptr;
}

TEST_CASE("sound answers give no warning") {
  const auto score =
      scored(test::two_choices({0, 1}), {answered(-1), answered(-2), answered(-3), answered(-0.5)});
  CHECK(score.warnings.empty());
  CHECK(score.failed_documents == 0);
}

TEST_CASE("a document with a failed request has no score and is left out") {
  const auto score = scored(test::two_choices({0, 1, 0}),
                            {answered(-1), failed("out of memory"), answered(-3), answered(-0.5),
                             failed("too long"), failed("too long")});
  CHECK(score.failed_documents == 2);
  CHECK(score.filters[0].documents[0].failed);
  CHECK(score.filters[0].documents[0].metrics.empty());
  CHECK_FALSE(score.filters[0].documents[1].failed);
  CHECK(score.estimates[0].value == 1.0);
  CHECK_FALSE(score.estimates[0].standard_error.has_value());
  const core::Warning* warning = find(score, "failed-documents");
  REQUIRE(warning != nullptr);
  CHECK(warning->count == 2);
  CHECK(warning->text ==
        "2 of 3 documents have no score and are left out of the estimates: too long (2 requests), "
        "out of memory (1 requests); remove the cause and run again");
}

TEST_CASE("nothing scored is NaN, not zero") {
  const auto score = scored(test::two_choices({0}), {failed("x"), failed("x")});
  REQUIRE(score.estimates.size() == 1);
  CHECK(std::isnan(score.estimates[0].value));
  CHECK_FALSE(score.estimates[0].standard_error.has_value());
  CHECK(find(score, "undefined-estimate") != nullptr);
  const auto empty = scored(test::two_choices({}), {});
  CHECK(std::isnan(empty.estimates[0].value));
}

TEST_CASE("documents whose choices all score alike are counted") {
  const auto score =
      scored(test::two_choices({0, 1, 1}), {answered(0), answered(0), answered(-3), answered(-0.5),
                                            answered(-std::numeric_limits<double>::infinity()),
                                            answered(-std::numeric_limits<double>::infinity())});
  const core::Warning* warning = find(score, "all-choices-equal");
  REQUIRE(warning != nullptr);
  CHECK(warning->count == 2);
}

TEST_CASE("one choice alone and failed requests are not alike") {
  core::BuiltTask task = test::two_choices({0});
  test::add_document(task, {0, {"only"}, std::nullopt}, 1);
  const auto score = scored(task, {failed("x"), failed("x"), answered(-1)});
  CHECK(find(score, "all-choices-equal") == nullptr);
}

TEST_CASE("requests with a cut context are counted") {
  std::vector<core::Response> responses{answered(-1), answered(-2)};
  responses[1].truncated_tokens = 7;
  const auto score = scored(test::two_choices({0}), responses);
  const core::Warning* warning = find(score, "truncated-context");
  REQUIRE(warning != nullptr);
  CHECK(warning->count == 1);
  CHECK(warning->text.starts_with("1 of 2 requests lost context"));
}

TEST_CASE("targets outside the choices are counted") {
  const auto score =
      scored(test::two_choices({5, "c", 1}),
             {answered(-1), answered(-2), answered(-1), answered(-2), answered(-1), answered(-2)});
  const core::Warning* warning = find(score, "gold-out-of-range");
  REQUIRE(warning != nullptr);
  CHECK(warning->count == 2);
}

TEST_CASE("log-likelihoods that are no numbers are counted") {
  const auto score = scored(test::two_choices({0}), {answered(std::nan("")), answered(-2)});
  const core::Warning* warning = find(score, "nan-log-likelihood");
  REQUIRE(warning != nullptr);
  CHECK(warning->count == 1);
}

TEST_CASE("an estimate that is not defined is named") {
  core::BuiltTask task = test::two_choices({5, 1, 0});
  task.metrics = {{"f1", "f1", true, {}}};
  const auto score = scored(
      task, {answered(-1), answered(-2), answered(-2), answered(-1), answered(-1), answered(-2)});
  const core::Warning* warning = find(score, "undefined-estimate");
  REQUIRE(warning != nullptr);
  CHECK(warning->text.find("NaN: f1;") != std::string::npos);
}

core::Response wrote(const std::string& answer,
                     core::FinishReason finish = core::FinishReason::stop_string) {
  core::Response response;
  response.answer = answer;
  response.outcome = core::Generated{answer, {}, finish};
  return response;
}

core::BuiltTask two_answers(const std::vector<base::Value>& targets) {
  core::BuiltTask task;
  task.name = "toy";
  task.output_type = core::OutputType::generate_until;
  task.metrics = {{"exact_match", "mean", true, {}}};
  for (const base::Value& target : targets) test::add_document(task, {target, {}, std::nullopt}, 1);
  task.multiple_target = !targets.empty() && targets.front().is_list();
  return task;
}

TEST_CASE("answers that hit the limit of tokens are counted") {
  const auto score =
      scored(two_answers({"a", "b"}), {wrote("a", core::FinishReason::length), wrote("b")});
  const core::Warning* warning = find(score, "answers-cut");
  REQUIRE(warning != nullptr);
  CHECK(warning->count == 1);
  CHECK(score.estimates[0].value == 1.0);
}

TEST_CASE("answers in which a filter finds nothing are counted") {
  core::BuiltTask task = two_answers({"7", "8"});
  base::Dict arguments;
  arguments.set("regex_pattern", "([0-9]+)");
  task.filters = {
      {"number", {{"regex", arguments, std::nullopt}, {"take_first", base::Dict(), std::nullopt}}}};
  const auto score = scored(task, {wrote("it is 7"), wrote("eight")});
  const core::Warning* warning = find(score, "unparsed-answers");
  REQUIRE(warning != nullptr);
  CHECK(warning->count == 1);
  CHECK(score.estimates[0].value == 0.5);
}

TEST_CASE("one target among lists is one right answer, not its characters") {
  const auto score =
      scored(two_answers({base::Value(base::List{"a", "b"}), "cd"}), {wrote("b"), wrote("cd")});
  CHECK(score.estimates[0].value == 1.0);
  REQUIRE(find(score, "mixed-targets") != nullptr);
  const auto other =
      scored(two_answers({base::Value(base::List{"a", "b"}), "cd"}), {wrote("b"), wrote("c")});
  CHECK(other.estimates[0].value == 0.5);
}

TEST_CASE("several right answers leave the answer as it is for the metrics behind") {
  core::BuiltTask task = two_answers({base::Value(base::List{"a", "b"})});
  task.metrics = {{"exact_match", "mean", true, {}}, {"bypass", "bypass", true, {}}};
  const auto score = scored(task, {wrote("b")});
  CHECK(score.filters[0].responses[0] == base::Value("b"));
}

TEST_CASE("a filter that leaves lists is told") {
  core::BuiltTask task = two_answers({"a"});
  task.repeats = 2;
  task.filters = {{"all", {{"lowercase", base::Dict(), std::nullopt}}}};
  const auto score = scored(task, {wrote("A"), wrote("b")});
  REQUIRE(find(score, "filter-leaves-lists") != nullptr);
  CHECK(score.estimates[0].value == 0.5);
}

/// Scores of its own for one document only.
class HalfScored final : public core::Functions {
 public:
  [[nodiscard]] bool knows(const core::FunctionRef&, core::FunctionUse) const override {
    return true;
  }
  base::Result<base::Value> call(const core::FunctionRef&, core::FunctionUse,
                                 std::span<const base::Value> arguments) override {
    base::Dict metrics;
    metrics.set("always", 1);
    if (arguments[1].items()[0] == base::Value("a")) metrics.set("sometimes", 0.25);
    return base::Value(metrics);
  }
};

TEST_CASE("a metric that some documents lack is told, with both numbers") {
  core::BuiltTask task = two_answers({"a", "b"});
  task.process_results = core::FunctionRef{"utils.f", {}, {}, ""};
  HalfScored functions;
  const auto score = score::score_task(task, std::vector{wrote("a"), wrote("b")}, &functions);
  REQUIRE_MESSAGE(score.has_value(), score.error().text);
  REQUIRE(score->estimates.size() == 2);
  CHECK(score->estimates[1].metric == "sometimes");
  CHECK(score->estimates[1].value == 0.25);
  const core::Warning* warning = find(*score, "metric-lacks-documents");
  REQUIRE(warning != nullptr);
  CHECK(warning->text.starts_with("sometimes,none is over 1 documents, others are over 2"));
}

/// A task's own scoring that fails on one answer.
class FailingOn final : public core::Functions {
 public:
  explicit FailingOn(std::string answer) : answer_(std::move(answer)) {}
  [[nodiscard]] bool knows(const core::FunctionRef&, core::FunctionUse) const override {
    return true;
  }
  base::Result<base::Value> call(const core::FunctionRef& function, core::FunctionUse use,
                                 std::span<const base::Value> arguments) override {
    if (use == core::FunctionUse::aggregation) return base::work_failed(function.name + ": ouch");
    if (arguments[1].items()[0] == base::Value(answer_))
      return base::work_failed(function.name + ": KeyError: 'x'");
    base::Dict metrics;
    metrics.set("own", 1);
    return base::Value(metrics);
  }

 private:
  std::string answer_;
};

TEST_CASE("answers that cannot be scored are counted, and the others are scored") {
  core::BuiltTask task = two_answers({"a", "b"});
  task.process_results = core::FunctionRef{"utils.f", {}, {}, ""};
  FailingOn functions("b");
  const auto score = score::score_task(task, std::vector{wrote("a"), wrote("b")}, &functions);
  REQUIRE_MESSAGE(score.has_value(), score.error().text);
  CHECK(score->failed_documents == 1);
  CHECK(score->estimates[0].value == 1.0);
  const core::Warning* warning = find(*score, "not-scored");
  REQUIRE(warning != nullptr);
  CHECK(warning->text.find("doc 1: utils.f: KeyError: 'x'") != std::string::npos);
}

TEST_CASE("a filter that fails leaves the answers unscored, not lost") {
  core::BuiltTask task = two_answers({"7"});
  base::Dict arguments;
  arguments.set("regex_pattern", "([0-9]+)");
  arguments.set("group_select", 5);
  task.filters = {
      {"sixth", {{"regex", arguments, std::nullopt}, {"take_first", base::Dict(), std::nullopt}}}};
  const auto score = scored(task, {wrote("it is 7")});
  CHECK(score.failed_documents == 1);
  CHECK(score.filters[0].documents[0].failed);
  CHECK(std::isnan(score.estimates[0].value));
  CHECK(find(score, "not-scored") != nullptr);
}

TEST_CASE("a metric that cannot be aggregated is NaN and says why") {
  core::BuiltTask task = two_answers({"a"});
  task.process_results = core::FunctionRef{"utils.f", {}, {}, ""};
  core::MetricSpec own;
  own.name = "own";
  own.aggregation_function = core::FunctionRef{"utils.mean", {}, {}, ""};
  task.metrics = {own};
  FailingOn functions("b");
  const auto score = score::score_task(task, std::vector{wrote("a")}, &functions);
  REQUIRE_MESSAGE(score.has_value(), score.error().text);
  CHECK(std::isnan(score->estimates[0].value));
  CHECK(score->estimates[0].failure == "utils.mean: ouch");
  CHECK(find(*score, "not-aggregated") != nullptr);
}

}  // namespace
}  // namespace tare
