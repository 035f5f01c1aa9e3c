// Answers for the comparisons of scoring with lm-eval, sacrebleu and rouge_score (filters_*.py,
// translation_fuzz.py): each line of stdin is a JSON object {what, ...}, each line of stdout
// {output} or {error}.
#include <map>
#include <string>

#include "base/json.h"
#include "base/python.h"
#include "parity/answer_lines.h"
#include "score/exact_match.h"
#include "score/filters.h"
#include "support/pipeline.h"
#include "textscore/bleu.h"
#include "textscore/chrf.h"
#include "textscore/rouge.h"
#include "textscore/ter.h"

namespace tare::test {
namespace {

using base::Dict;
using base::List;
using base::Value;

/// Steps, and what they work on as Python literals, to tell tuples from lists.
base::Result<Value> filters(const Value& request) {
  const auto pipeline = pipeline_of(*request.find("steps"));
  for (const auto& step : pipeline.steps) TARE_CHECK(score::check_filter(step, nullptr));
  TARE_TRY(const Value responses,
           base::python::parse_literal(request.find("responses")->as_string()));
  TARE_TRY(auto made, score::apply_pipeline(pipeline, responses.items(),
                                            request.find("documents")->items(), nullptr));
  return Value(base::python::repr(Value(List(std::move(made)))));
}

std::vector<textscore::Translation> translations(const Value& request) {
  std::vector<textscore::Translation> out;
  for (const Value& item : request.find("items")->items()) {
    textscore::Translation translation{item.items()[1].as_string(), {}};
    for (const Value& reference : item.items()[0].items())
      translation.references.push_back(reference.as_string());
    out.push_back(std::move(translation));
  }
  return out;
}

/// The score, and its standard error by 100 resamples.
template <const textscore::CorpusMetric& Metric>
base::Result<Value> corpus(const Value& request) {
  const textscore::ScoredCorpus corpus(Metric, translations(request));
  const auto error = textscore::corpus_stderr(corpus, 100);
  return Value(List{corpus.score(), error ? Value(*error) : Value()});
}

base::Result<Value> rouge(const Value& request) {
  const auto& both = request.find("items")->items();
  const auto score = textscore::rouge(both[0].as_string(), both[1].as_string());
  return Value(List{score.rouge1, score.rouge2, score.rouge_l, score.rouge_lsum});
}

/// Of a list of predictions the share.
base::Result<Value> exact_match(const Value& request) {
  const auto& both = request.find("items")->items();
  TARE_TRY(const auto match, score::ExactMatch::compile(*request.find("arguments")));
  const std::string reference = both[1].as_string();
  if (both[0].is_string()) {
    TARE_TRY(const bool equal, match.equal(both[0].as_string(), reference));
    return Value(equal ? 1.0 : 0.0);
  }
  std::vector<std::string> predictions;
  for (const Value& prediction : both[0].items()) predictions.push_back(prediction.as_string());
  TARE_TRY(const double share, match.share(predictions, reference));
  return Value(share);
}

Value answer(const std::string& line) {
  static const std::map<std::string, base::Result<Value> (*)(const Value&)> kAnswers = {
      {"filters", filters},
      {"bleu", corpus<textscore::kBleu>},
      {"bleu_intl", corpus<textscore::kBleuInternational>},
      {"chrf", corpus<textscore::kChrf>},
      {"chrf++", corpus<textscore::kChrfPlusPlus>},
      {"ter", corpus<textscore::kTer>},
      {"rouge", rouge},
      {"exact_match", exact_match}};
  const Value request = base::json::parse(line).value();
  return outcome(kAnswers.at(request.find("what")->as_string())(request));
}

}  // namespace
}  // namespace tare::test

int main() {
  tare::test::answer_lines(tare::test::answer);
  return 0;
}
