#include <doctest/doctest.h>

#include <string>

#include "support/support.h"
#include "textscore/bleu.h"
#include "textscore/chrf.h"
#include "textscore/corpus.h"
#include "textscore/rouge.h"
#include "textscore/ter.h"

namespace tare::textscore {
namespace {

using base::List;
using base::Value;

std::vector<Translation> translations(const Value& items) {
  std::vector<Translation> out;
  for (const Value& item : items.items()) out.push_back(read_translation(item).value());
  return out;
}

void check_near(double value, double expected) {
  CHECK(value == doctest::Approx(expected).epsilon(1e-12));
}

void check_metric(const Value& item, const char* name, Corpus kind) {
  CAPTURE(name);
  const List& expected = item.find(name)->items();
  const auto score = corpus_score(kind, item.find("items")->items(), 100'000).value();
  check_near(score.value, expected[0].as_real());
  REQUIRE(score.standard_error.has_value() == !expected[1].is_none());
  if (score.standard_error) check_near(*score.standard_error, expected[1].as_real());
}

TEST_CASE("corpus scores and their standard errors are sacrebleu's and lm-eval's") {
  const Value file = test::load_cases("score/translations.json");
  int checked = 0;
  for (const Value& item : file.find("cases")->items()) {
    CAPTURE(item.find("name")->as_string());
    check_metric(item, "bleu", Corpus::bleu);
    check_metric(item, "chrf", Corpus::chrf);
    check_metric(item, "chrf++", Corpus::chrf_plus_plus);
    check_metric(item, "ter", Corpus::ter);
    const ScoredCorpus international(kBleuInternational, translations(*item.find("items")));
    check_near(international.score(), item.find("bleu_intl")->as_real());
    ++checked;
  }
  CHECK(checked >= 40);
}

TEST_CASE("chosen segments score as a corpus of their own") {
  const std::vector<Translation> all = {{"a b c d x", {"a b c d e", "x"}},
                                        {"the cat sat on mat", {"the cat sat on the mat"}},
                                        {"u v w x", {"v w x y", "u v w", "q"}}};
  const std::vector<std::size_t> chosen = {2, 0, 2};
  const std::vector<Translation> alone = {all[2], all[0], all[2]};
  for (const CorpusMetric* metric : {&kBleu, &kChrf, &kChrfPlusPlus, &kTer})
    CHECK(ScoredCorpus(*metric, all).score(chosen) == ScoredCorpus(*metric, alone).score());
}

TEST_CASE("tokens of BLEU") {
  CHECK(tokenize_13a("Hello, world! 1,000.5 a-b 3-4") == "Hello , world ! 1,000.5 a-b 3 - 4");
  CHECK(tokenize_13a("&quot;x&quot; <skipped>y-\nz\nw") == "\" x \" yz w");
  CHECK(tokenize_international("¿Qué? 5€ 1,5 ,5") == "¿ Qué ? 5 € 1,5 , 5");
}

TEST_CASE("what is no pair of references and prediction is refused") {
  CHECK(read_translation(Value(List{"a", List{"b"}})).value().prediction == "b");
  CHECK(read_translation(Value(List{"a", List{"b", "c"}})).error().text ==
        "prediction: found a list of 2, wanted one text; end the filter with take_first");
  CHECK(read_translation(Value(List{List{}, "b"})).error().text ==
        "reference: found none, wanted at least one");
  CHECK(read_translation(Value(List{1, "b"})).error().text ==
        "reference: found int, wanted a text");
  CHECK_FALSE(read_translation(Value("a")).has_value());
}

TEST_CASE("a shift search without end stops at its bound") {
  std::string prediction, reference;
  for (int i = 0; i < 120; ++i) {
    prediction += i % 3 == 0 ? "a " : "b ";
    reference += i % 2 == 0 ? "b " : "a ";
  }
  const std::vector<Translation> one = {{prediction, {reference}}};
  // sacrebleu 2.6: corpus_ter of the same
  CHECK(ScoredCorpus(kTer, one).score() == doctest::Approx(34.166666666666664).epsilon(1e-12));
}

TEST_CASE("ROUGE is that of rouge_score") {
  const Value file = test::load_cases("score/rouge.json");
  for (const Value& item : file.find("cases")->items()) {
    CAPTURE(item.find("target")->as_string());
    const Rouge made =
        rouge(item.find("target")->as_string(), item.find("prediction")->as_string());
    const List& expected = item.find("expected")->items();
    check_near(made.rouge1, expected[0].as_number());
    check_near(made.rouge2, expected[1].as_number());
    check_near(made.rouge_l, expected[2].as_number());
    check_near(made.rouge_lsum, expected[3].as_number());
  }
}

}  // namespace
}  // namespace tare::textscore
