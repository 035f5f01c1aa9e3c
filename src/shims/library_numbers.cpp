#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "shims/array.h"
#include "shims/library.h"
#include "text/jinja/operators.h"
#include "text/regex.h"

/// The modules sklearn.metrics and lm_eval.utils.
namespace tare::shims {
namespace {

using text::jinja::type_error;
using text::jinja::unsupported;
using text::jinja::value_error;

/// Counts of one label: how often it is right, true and predicted.
struct Counts {
  double right = 0, truth = 0, predicted = 0;
};

void require_labels(const std::vector<Value>& labels) {
  const bool text = std::ranges::all_of(labels, [](const Value& v) { return v.is_string(); });
  const bool number = std::ranges::all_of(labels, [](const Value& v) { return v.is_integral(); });
  if (!text && !number) unsupported("labels other than integers or texts are not built in");
}

/// The labels of one side; a text is no list of letters here.
std::vector<Value> labels_argument(Interpreter& python, const Value& labels) {
  if (labels.is_string()) type_error("labels must be array-like");
  return python.collect(labels);
}

/// The counts of all labels of both sides, by label.
std::vector<std::pair<Value, Counts>> count_labels(Interpreter& python,
                                                   const std::vector<Value>& truth,
                                                   const std::vector<Value>& predicted) {
  if (truth.size() != predicted.size())
    value_error("Found input variables with inconsistent numbers of samples");
  if (truth.empty()) unsupported("metrics of no items are not built in");
  std::vector<Value> labels = truth;
  labels.insert(labels.end(), predicted.begin(), predicted.end());
  require_labels(labels);
  labels = sorted_by(python, std::move(labels), Value(), false);
  std::vector<std::pair<Value, Counts>> counts;
  for (const Value& label : labels)
    if (counts.empty() || !python.equal(counts.back().first, label))
      counts.emplace_back(label, Counts());
  for (auto& [label, count] : counts)
    for (std::size_t i = 0; i < truth.size(); ++i) {
      const bool is_true = python.equal(truth[i], label),
                 is_predicted = python.equal(predicted[i], label);
      count.truth += is_true ? 1 : 0;
      count.predicted += is_predicted ? 1 : 0;
      count.right += is_true && is_predicted ? 1 : 0;
    }
  return counts;
}

double f1(const Counts& count) {
  const double denominator = count.truth + count.predicted;
  return denominator == 0 ? 0.0 : 2 * count.right / denominator;
}

double weighted_mean(const std::vector<double>& values, const std::vector<double>& weights) {
  std::vector<double> products;
  for (std::size_t i = 0; i < values.size(); ++i) products.push_back(values[i] * weights[i]);
  return pairwise_sum(products.data(), products.size()) /
         pairwise_sum(weights.data(), weights.size());
}

/// F1 of the positive label 1.
double binary_f1(Interpreter& python, const std::vector<std::pair<Value, Counts>>& counts) {
  if (counts.size() > 2) value_error("Target is multiclass but average='binary'");
  for (const auto& [label, count] : counts)
    if (label.is_integral() && python.equal(label, std::int64_t{1})) return f1(count);
  if (counts.size() == 2) value_error("pos_label=1 is not a valid label");
  return 0.0;
}

/// sklearn.metrics.f1_score (scikit-learn 1.x, metrics/_classification.py).
Value f1_score(Interpreter& python, Arguments& a) {
  for (const auto& [name, unused] : a.named)
    if (name != "average" && name != "y_true" && name != "y_pred")
      unsupported(fmt::format("f1_score({}=...) is not built in", name));
  const auto counts = count_labels(python, labels_argument(python, argument(a, 0, "y_true")),
                                   labels_argument(python, argument(a, 1, "y_pred")));
  const Value given = argument(a, 99, "average");
  std::vector<double> scores, weights;
  Counts all;
  for (const auto& [label, count] : counts) {
    scores.push_back(f1(count));
    weights.push_back(count.truth);
    all = {all.right + count.right, all.truth + count.truth, all.predicted + count.predicted};
  }
  if (given.is_none()) return python.heap().make<Array>(Array::Type::real, std::move(scores));
  const std::string average = given.is_missing() ? "binary" : given.str();
  if (average == "binary") return binary_f1(python, counts);
  if (average == "micro") return f1(all);
  if (average == "weighted") return weighted_mean(scores, weights);
  if (average != "macro")
    unsupported(fmt::format("f1_score(average='{}') is not built in", average));
  return pairwise_sum(scores.data(), scores.size()) / static_cast<double>(scores.size());
}

Value accuracy_score(Interpreter& python, Arguments& a) {
  expect_arguments(a, 2, 2, "accuracy_score");
  double right = 0;
  const auto truth = labels_argument(python, a.positional[0]),
             predicted = labels_argument(python, a.positional[1]);
  for (const auto& [label, count] : count_labels(python, truth, predicted)) right += count.right;
  return right / static_cast<double>(truth.size());
}

/// Undoes the spaces that a tokenizer puts around punctuation.
std::string detokenize(std::string text) {
  static constexpr std::pair<std::string_view, std::string_view> kSteps[] = {
      {" n't", "n't"}, {" )", ")"}, {"( ", "("}, {"\" ", "\""}, {" \"", "\""}};
  for (const auto& [from, to] : kSteps) {
    std::string done;
    std::size_t at = 0;
    for (std::size_t found; (found = text.find(from, at)) != std::string::npos;
         at = found + from.size())
      done.append(text, at, found - at).append(to);
    text = done.append(text, at);
  }
  std::string done;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool dropped = text[i] == ' ' && i + 1 < text.size() &&
                         std::string_view("'.,").find(text[i + 1]) != std::string_view::npos;
    if (!dropped) done += text[i];
  }
  return done;
}

Value weighted_f1_score(Interpreter& python, Arguments& a) {
  std::vector<Value> golds, predictions;
  for (const Value& pair : python.collect(argument(a, 0, "items"))) {
    const std::vector<Value> both = python.collect(pair);
    if (both.size() < 2) unsupported("weighted_f1_score() of other than pairs is not built in");
    golds.push_back(both[0]);
    predictions.push_back(both[1]);
  }
  Arguments arguments{{python.heap().list(golds), python.heap().list(predictions)},
                      {{"average", python.heap().text("weighted")}}};
  return f1_score(python, arguments);
}

}  // namespace

Value object_binary(Interpreter& python, BinaryOp op, const Value& a, const Value& b) {
  if (Value counted = counter_binary(python, op, a, b); !counted.is_missing()) return counted;
  if (Value made = array_binary(python, op, a, b); !made.is_missing()) return made;
  if (Value path = path_binary(python, op, a, b); !path.is_missing()) return path;
  unsupported("this operator between objects is not built in");
}

Module* make_sklearn_metrics(Interpreter& python) {
  auto* module = python.heap().make<Module>("sklearn.metrics");
  define(python, *module, "f1_score", f1_score);
  define(python, *module, "accuracy_score", accuracy_score);
  return module;
}

Module* make_sklearn(Interpreter& python) {
  auto* module = python.heap().make<Module>("sklearn");
  module->members["metrics"] = make_sklearn_metrics(python);
  return module;
}

Module* make_lm_eval_utils(Interpreter& python) {
  auto* module = python.heap().make<Module>("lm_eval.utils");
  define(python, *module, "weighted_f1_score", weighted_f1_score);
  define(python, *module, "general_detokenize", [](Interpreter& p, Arguments& a) -> Value {
    return p.heap().text(detokenize(text_argument(a, 0)));
  });
  return module;
}

}  // namespace tare::shims
