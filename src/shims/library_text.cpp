#include <fmt/format.h>

#include <algorithm>

#include "shims/library.h"
#include "text/jinja/operators.h"
#include "textscore/bleu.h"
#include "textscore/rouge.h"

/// The modules sacrebleu and rouge_score.
namespace tare::shims {
namespace {

using text::jinja::unsupported;
using text::jinja::value_error;

std::vector<std::string> texts_of(Interpreter& python, const Value& values) {
  if (values.is_string()) unsupported("sacrebleu: a text is no list of texts");
  std::vector<std::string> texts;
  for (const Value& value : python.collect(values)) {
    if (!value.is_string())
      text::jinja::type_error("BLEU: each element of the texts should be a string");
    texts.push_back(value.str());
  }
  return texts;
}

/// The options that change the score have to be these; smooth_value has no effect on "exp".
void require_bleu_options(Interpreter& python, const Arguments& a) {
  for (const auto& [name, value] : a.named) {
    const bool known =
        name == "smooth_value" || name == "force" || name == "tokenize" ||
        (name == "smooth_method" && value.is_string() && value.str() == "exp") ||
        ((name == "lowercase" || name == "use_effective_order") && !python.truthy(value));
    if (!known) unsupported(fmt::format("corpus_bleu({}=...) is not built in", name));
  }
}

/// sacrebleu.corpus_bleu(predictions, streams of references).
Value corpus_bleu(Interpreter& python, Arguments& a) {
  require_bleu_options(python, a);
  const std::vector<std::string> predictions = texts_of(python, argument(a, 0));
  std::vector<std::vector<std::string>> references(predictions.size());
  for (const Value& stream : python.collect(argument(a, 1))) {
    const std::vector<std::string> texts = texts_of(python, stream);
    if (texts.size() != predictions.size())
      value_error("BLEU: every stream has to have as many references as there are predictions");
    for (std::size_t i = 0; i < texts.size(); ++i) references[i].push_back(texts[i]);
  }
  if (predictions.empty() || references[0].empty()) unsupported("corpus_bleu() of nothing");
  const Value given = argument(a, 99, "tokenize");
  const std::string tokenize = given.is_string() ? given.str() : "13a";
  if (tokenize != "intl" && tokenize != "13a") unsupported("this tokenizer is not built in");
  const textscore::CorpusMetric& metric =
      tokenize == "intl" ? textscore::kBleuInternational : textscore::kBleu;
  textscore::Statistics sums;
  for (std::size_t i = 0; i < predictions.size(); ++i) {
    const textscore::Statistics each = metric.segment(predictions[i], references[i]);
    sums.resize(each.size());
    std::ranges::transform(sums, each, sums.begin(), std::plus());
  }
  auto* score = python.heap().make<Module>("BLEUScore");
  score->members["score"] = metric.score(sums);
  return score;
}

/// rouge_scorer.RougeScorer(types).score(target, prediction): a dict of scores by type.
Value rouge_score(Interpreter& python, const Value& types, const Arguments& a) {
  const auto rouge =
      textscore::rouge(text_argument(a, 0, "target"), text_argument(a, 1, "prediction"));
  const std::map<std::string_view, double> by_type = {{"rouge1", rouge.rouge1},
                                                      {"rouge2", rouge.rouge2},
                                                      {"rougeL", rouge.rouge_l},
                                                      {"rougeLsum", rouge.rouge_lsum}};
  auto* scores = python.heap().make<Dict>();
  for (const Value& type : python.collect(types)) {
    const auto found = by_type.find(type.str());
    if (found == by_type.end()) unsupported("rouge_score: this type is not built in");
    auto* score = python.heap().make<Module>("Score");
    score->members["fmeasure"] = found->second;
    scores->set(python.heap(), type, score);
  }
  return scores;
}

Value make_scorer(Interpreter& python, Arguments& a) {
  const Value stemmer = argument(a, 1, "use_stemmer");
  if (a.positional.size() > 2 || (!stemmer.is_missing() && python.truthy(stemmer)))
    unsupported("RougeScorer: these options are not built in");
  auto* scorer = python.heap().make<Module>("RougeScorer");
  const Value types = argument(a, 0, "rouge_types");
  define(python, *scorer, "score",
         [types](Interpreter& p, Arguments& b) { return rouge_score(p, types, b); });
  return scorer;
}

/// scoring.BootstrapAggregator of one score, whose resamples are all that score.
Value make_aggregator(Interpreter& python, Arguments& a) {
  expect_arguments(a, 0, 0, "BootstrapAggregator");
  auto* aggregator = python.heap().make<Module>("BootstrapAggregator");
  auto* mid = python.heap().make<Dict>();
  define(python, *aggregator, "add_scores", [mid](Interpreter& p, Arguments& b) {
    if (!mid->entries().empty())
      unsupported("BootstrapAggregator: more than one score is not built in");
    const auto* scores = as<Dict>(argument(b, 0));
    if (scores == nullptr) text::jinja::type_error("add_scores() needs a dict");
    for (const auto& [type, score] : scores->entries()) {
      auto* aggregate = p.heap().make<Module>("AggregateScore");
      aggregate->members["mid"] = score;
      mid->set(p.heap(), type, aggregate);
    }
    return Value::none();
  });
  define(python, *aggregator, "aggregate", [mid](Interpreter&, Arguments&) { return Value(mid); });
  return aggregator;
}

}  // namespace

Module* make_sacrebleu(Interpreter& python) {
  auto* module = python.heap().make<Module>("sacrebleu");
  define(python, *module, "corpus_bleu", corpus_bleu);
  return module;
}

Module* make_rouge_score(Interpreter& python) {
  auto* module = python.heap().make<Module>("rouge_score");
  auto* scorer = python.heap().make<Module>("rouge_score.rouge_scorer");
  define(python, *scorer, "RougeScorer", make_scorer);
  auto* scoring = python.heap().make<Module>("rouge_score.scoring");
  define(python, *scoring, "BootstrapAggregator", make_aggregator);
  module->members["rouge_scorer"] = scorer;
  module->members["scoring"] = scoring;
  return module;
}

}  // namespace tare::shims
