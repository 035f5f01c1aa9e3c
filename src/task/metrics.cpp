#include "task/metrics.h"

#include <algorithm>
#include <array>

#include "task/field_table.h"
#include "task/function.h"

namespace tare::task {
namespace {

using base::Dict;
using base::Value;
using namespace std::string_view_literals;

struct Registered {
  std::string_view name;
  std::string_view aggregation;
  bool higher_is_better;
};

/// The metrics that lm-eval 0.4.13 knows by itself.
constexpr std::array<Registered, 19> kRegistered{{
    {"acc", "mean", true},
    {"acc_norm", "mean", true},
    {"acc_bytes", "mean", true},
    {"acc_mutual_info", "mean", true},
    {"acc_all", "mean", true},
    {"exact_match", "mean", true},
    {"likelihood", "mean", true},
    {"perplexity", "perplexity", false},
    {"word_perplexity", "weighted_perplexity", false},
    {"byte_perplexity", "weighted_perplexity", false},
    {"bits_per_byte", "bits_per_byte", false},
    {"brier_score", "brier_score", false},
    {"f1", "f1", true},
    {"mcc", "matthews_corrcoef", true},
    {"bleu", "bleu", true},
    {"chrf", "chrf", true},
    {"chrf++", "chrf++", true},
    {"ter", "ter", false},
    {"bypass", "bypass", true},
}};

std::vector<std::string_view> default_metrics(core::OutputType type) {
  switch (type) {
    case core::OutputType::loglikelihood:
      return {"perplexity", "acc"};
    case core::OutputType::multiple_choice:
      return {"acc", "acc_norm"};
    case core::OutputType::loglikelihood_rolling:
      return {"word_perplexity", "byte_perplexity", "bits_per_byte"};
    case core::OutputType::generate_until:
      break;
  }
  return {"exact_match"};
}

core::MetricSpec spec_by_name(std::string_view name) {
  core::MetricSpec spec;
  spec.name = name;
  spec.aggregation = "mean";
  spec.arguments = Dict{};
  const auto known = std::ranges::find(kRegistered, name, &Registered::name);
  if (known == kRegistered.end()) return spec;
  spec.aggregation = known->aggregation;
  spec.higher_is_better = known->higher_is_better;
  return spec;
}

core::MetricSpec named_spec(const Value& metric) {
  auto function = resolved_function(metric);
  if (!function) return spec_by_name(metric.as_string());
  core::MetricSpec spec = spec_by_name(function->function());
  spec.function = std::move(*function);
  return spec;
}

core::MetricSpec spec_of(const Dict& entry) {
  core::MetricSpec spec = named_spec(*entry.find("metric"sv));
  Dict arguments;
  for (const auto& [key, value] : entry) {
    const std::string name = key.is_string() ? key.as_string() : "";
    if (name == "metric") continue;
    if (name == "aggregation" && value.is_string()) {
      spec.aggregation = value.as_string();
    } else if (name == "aggregation" && function_ref(value)) {
      spec.aggregation_function = resolved_function(value);
    } else if (name == "higher_is_better") {
      spec.higher_is_better = value.as_bool();
    } else if (name == "ideal") {
      spec.ideal = value.as_number();
    } else {
      arguments.set(key, value);
    }
  }
  spec.arguments = std::move(arguments);
  return spec;
}

bool well_formed(const Value& entry, std::string_view key, unsigned kinds, bool required) {
  const Value* value = entry.find(key);
  return value == nullptr ? !required : (kinds & kind_of(*value)) != 0;
}

bool well_formed_ideal(const Value& entry) {
  static constexpr std::array kIdeals{0.0, 0.5, 1.0};
  const Value* ideal = entry.find("ideal");
  if (ideal == nullptr) return true;
  return ideal->is_number() && std::ranges::find(kIdeals, ideal->as_number()) != kIdeals.end();
}

}  // namespace

std::string refuse_metric_list(const Value& list) {
  if (!list.is_list()) return "";
  const bool good = std::ranges::all_of(list.items(), [](const Value& entry) {
    return entry.is_dict() && well_formed(entry, "metric", kText | kFunction, true) &&
           well_formed(entry, "aggregation", kText | kFunction, false) &&
           well_formed(entry, "higher_is_better", kBool, false) && well_formed_ideal(entry);
  });
  return good ? ""
              : "mappings with 'metric' (a name), 'aggregation' (a name), 'higher_is_better' (true "
                "or false) and 'ideal' (0, 0.5 or 1)";
}

std::vector<core::MetricSpec> metric_specs(const TaskConfig& config, bool predict_only) {
  std::vector<core::MetricSpec> specs;
  if (predict_only) return {spec_by_name("bypass")};
  if (config.metric_list.is_none()) {
    for (std::string_view name : default_metrics(config.output_type))
      specs.push_back(spec_by_name(name));
    return specs;
  }
  for (const Value& entry : config.metric_list.items()) {
    core::MetricSpec spec = spec_of(entry.as_dict());
    const auto same = std::ranges::find(specs, spec.name, &core::MetricSpec::name);
    if (same == specs.end()) {
      specs.push_back(std::move(spec));
    } else {
      *same = std::move(spec);
    }
  }
  return specs;
}

}  // namespace tare::task
