#include "score/metrics.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "base/unicode.h"

namespace tare::score {
namespace {

using base::Value;
using core::OutputType;

std::int64_t predicted(std::span<const double> scores) {
  return static_cast<std::int64_t>(argmax(scores));
}

bool is_gold(const Answers& answers, std::int64_t choice) {
  const auto& gold = answers.gold.indices;
  return std::find(gold.begin(), gold.end(), choice) != gold.end();
}

/// lm-eval gives 1.0 or 0.0 here, and the integers 1 or 0 for what comes from the greedy flag.
Value hit(bool right) {
  return right ? 1.0 : 0.0;
}

std::vector<double> per_length(const Answers& answers, std::size_t (*length)(std::string_view)) {
  std::vector<double> scores;
  for (std::size_t i = 0; i < answers.choices->size(); ++i)
    scores.push_back(answers.log_likelihoods[i] /
                     static_cast<double>(length((*answers.choices)[i])));
  return scores;
}

std::size_t bytes(std::string_view text) {
  return text.size();
}

Value log_likelihood(const Answers& answers) {
  return answers.log_likelihoods.front();
}

Value greedy_accuracy(const Answers& answers) {
  return answers.greedy.front() ? 1 : 0;
}

Value accuracy(const Answers& answers) {
  return hit(is_gold(answers, predicted(answers.log_likelihoods)));
}

Value accuracy_per_character(const Answers& answers) {
  return hit(is_gold(answers, predicted(per_length(answers, base::unicode::length))));
}

Value accuracy_per_byte(const Answers& answers) {
  return hit(is_gold(answers, predicted(per_length(answers, bytes))));
}

/// A negative index counts from the end, as lm-eval's Python list does.
bool greedy_at(const Answers& answers, std::int64_t index) {
  const auto count = static_cast<std::int64_t>(answers.greedy.size());
  if (index < 0) index += count;
  return index >= 0 && index < count && answers.greedy[static_cast<std::size_t>(index)];
}

Value exact_match(const Answers& answers) {
  const auto& gold = answers.gold.indices;
  const bool matched = std::any_of(gold.begin(), gold.end(), [&](std::int64_t index) {
    return index != kOutOfRange && greedy_at(answers, index);
  });
  return matched ? 1 : 0;
}

/// What the context adds to the log-likelihood of each choice.
Value accuracy_by_mutual_information(const Answers& answers) {
  std::vector<double> gains;
  for (std::size_t i = 0; i < answers.unconditional.size(); ++i)
    gains.push_back(answers.log_likelihoods[i] - answers.unconditional[i]);
  return hit(is_gold(answers, predicted(gains)));
}

Value gold_and_predicted(const Answers& answers) {
  return Value::tuple({answers.gold.indices.front(), predicted(answers.log_likelihoods)});
}

/// exp(x − max x), divided by their sum (lm_eval/utils.py softmax).
Value gold_and_probabilities(const Answers& answers) {
  const std::vector<double>& x = answers.log_likelihoods;
  const double largest = *std::max_element(x.begin(), x.end());
  std::vector<double> weights;
  for (const double value : x) weights.push_back(std::exp(value - largest));
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  base::List probabilities;
  for (const double weight : weights) probabilities.emplace_back(weight / sum);
  return Value::tuple({answers.gold.indices.front(), std::move(probabilities)});
}

/// Pieces between runs of white space, with the empty ones at the ends: len(re.split(r"\s+",
/// text)).
std::size_t count_words(std::string_view text) {
  std::size_t words = 1;
  bool in_space = false;
  for (std::size_t place = 0; place < text.size();) {
    const bool space = base::unicode::is_space(base::unicode::decode(text, place));
    words += space && !in_space ? 1 : 0;
    in_space = space;
  }
  return words;
}

Value per_word(const Answers& answers) {
  return Value::tuple({answers.log_likelihoods.front(), count_words(answers.text)});
}

Value per_byte(const Answers& answers) {
  return Value::tuple({answers.log_likelihoods.front(), answers.text.size()});
}

Value bypassed(const Answers&) {
  return 0;
}

constexpr auto kLoglikelihood = OutputType::loglikelihood;
constexpr auto kChoice = OutputType::multiple_choice;
constexpr auto kRolling = OutputType::loglikelihood_rolling;
constexpr auto kNumber = ValueKind::number;
constexpr auto kLabels = ValueKind::labels;
constexpr auto kWeighted = ValueKind::weighted;
constexpr auto kProbabilities = ValueKind::probabilities;
constexpr auto kNothing = ValueKind::nothing;

// name, output type, value of a document, its kind, aggregation, higher is better, takes lists
constexpr std::array kMetrics = {
    Metric{"perplexity", kLoglikelihood, log_likelihood, kNumber, "perplexity", false, true},
    Metric{"acc", kLoglikelihood, greedy_accuracy, kNumber, "mean", true, true},
    Metric{"acc", kChoice, accuracy, kNumber, "mean", true, true},
    Metric{"f1", kChoice, gold_and_predicted, kLabels, "f1", true, false},
    Metric{"mcc", kChoice, gold_and_predicted, kLabels, "matthews_corrcoef", true, false},
    Metric{"acc_norm", kChoice, accuracy_per_character, kNumber, "mean", true, true},
    Metric{"acc_bytes", kChoice, accuracy_per_byte, kNumber, "mean", true, true},
    Metric{"exact_match", kChoice, exact_match, kNumber, "mean", true, true},
    Metric{"brier_score", kChoice, gold_and_probabilities, kProbabilities, "brier_score", false,
           false},
    Metric{"acc_mutual_info", kChoice, accuracy_by_mutual_information, kNumber, "mean", true,
           false},
    Metric{"word_perplexity", kRolling, per_word, kWeighted, "weighted_perplexity", false, true},
    Metric{"byte_perplexity", kRolling, per_byte, kWeighted, "weighted_perplexity", false, true},
    Metric{"bits_per_byte", kRolling, per_byte, kWeighted, "bits_per_byte", false, true},
    Metric{"bypass", kLoglikelihood, bypassed, kNothing, "bypass", true, true},
    Metric{"bypass", kChoice, bypassed, kNothing, "bypass", true, true},
    Metric{"bypass", kRolling, bypassed, kNothing, "bypass", true, true},
};

/// What lm-eval names besides: the metrics of generated answers, and two that it cannot aggregate.
constexpr std::array<std::string_view, 7> kElsewhere = {"bleu", "chrf",    "chrf++",    "ter",
                                                        "f1",   "acc_all", "likelihood"};

}  // namespace

std::span<const Metric> metrics() {
  return kMetrics;
}

const Metric* find_metric(std::string_view name, OutputType output_type) {
  const auto found = std::find_if(kMetrics.begin(), kMetrics.end(), [&](const Metric& metric) {
    return metric.name == name && metric.output_type == output_type;
  });
  return found == kMetrics.end() ? nullptr : &*found;
}

bool reads_greedy_flag(std::string_view name, OutputType output_type) {
  const Metric* metric = find_metric(name, output_type);
  return metric != nullptr && (metric->value == greedy_accuracy || metric->value == exact_match);
}

bool known_to_lm_eval(std::string_view name) {
  const auto named = [&](const Metric& metric) { return metric.name == name; };
  return std::any_of(kMetrics.begin(), kMetrics.end(), named) ||
         std::find(kElsewhere.begin(), kElsewhere.end(), name) != kElsewhere.end();
}

std::size_t argmax(std::span<const double> x) {
  std::size_t best = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (std::isnan(x[i])) return i;
    if (x[i] > x[best]) best = i;
  }
  return best;
}

}  // namespace tare::score
