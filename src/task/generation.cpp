#include "task/generation.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/nearest.h"
#include "base/python.h"
#include "task/compile.h"
#include "task/field_table.h"
#include "task/generation_mode.h"

namespace tare::task {
namespace {

using base::Dict;
using base::List;
using base::Status;
using base::Value;
using core::GenerationSettings;
using namespace std::string_view_literals;

/// The names under which the number of new tokens may be given, the strongest first.
constexpr std::array kMaxTokens{"max_gen_toks"sv, "max_new_tokens"sv, "max_tokens"sv,
                                "max_completion_tokens"sv};
constexpr std::size_t kDefaultMaxTokens = 256;
constexpr double kMostTokens = 2147483647;

bool finite_number(const Value& value) {
  return value.is_number() && std::isfinite(value.as_number());
}

std::string set_until(GenerationSettings& settings, const Value& value) {
  const List single{value};
  for (const Value& stop : value.is_list() ? value.items() : single) {
    if (stop.is_none()) continue;
    if (!stop.is_string()) return "a text or a list of texts";
    if (!stop.as_string().empty()) settings.until.push_back(stop.as_string());
  }
  return "";
}

std::string set_sample(GenerationSettings& settings, const Value& value) {
  if (!value.is_bool()) return "true or false";
  settings.sample = value.as_bool();
  return "";
}

std::string set_temperature(GenerationSettings& settings, const Value& value) {
  if (!finite_number(value) || value.as_number() < 0) return "a number, 0 or more";
  settings.temperature = value.as_number();
  return "";
}

std::string set_max_tokens(GenerationSettings&, const Value& value) {
  if (value.is_none()) return "";
  const bool whole = finite_number(value) && std::floor(value.as_number()) == value.as_number();
  const bool good = whole && value.as_number() >= 1 && value.as_number() <= kMostTokens;
  return good ? "" : fmt::format("a whole number from 1 to {}", kMostTokens);
}

template <std::optional<double> GenerationSettings::*Member>
std::string set_share(GenerationSettings& settings, const Value& value) {
  if (value.is_none()) return "";
  if (!finite_number(value) || value.as_number() < 0 || value.as_number() > 1)
    return "a share, 0 to 1";
  settings.*Member = value.as_number();
  return "";
}

std::string set_penalty(GenerationSettings& settings, const Value& value) {
  if (value.is_none()) return "";
  if (!finite_number(value) || value.as_number() <= 0) return "a number above 0";
  settings.repetition_penalty = value.as_number();
  return "";
}

std::string set_top_k(GenerationSettings& settings, const Value& value) {
  if (value.is_none()) return "";
  if (!value.is_int() || value.as_int() < 0) return "a whole number, 0 or more";
  settings.top_k = value.as_int();
  return "";
}

std::string one_only(GenerationSettings&, const Value& value) {
  return value.is_none() || value == Value(1) ? "" : "1 (beam search is not built in)";
}

struct Key {
  std::string_view name;
  /// "" if the value is fine, else what is wanted.
  std::string (*set)(GenerationSettings&, const Value&);
};

constexpr std::array kKeys{
    Key{"until", set_until},
    Key{"do_sample", set_sample},
    Key{"temperature", set_temperature},
    Key{"max_gen_toks", set_max_tokens},
    Key{"max_new_tokens", set_max_tokens},
    Key{"max_tokens", set_max_tokens},
    Key{"max_completion_tokens", set_max_tokens},
    Key{"top_p", set_share<&GenerationSettings::top_p>},
    Key{"min_p", set_share<&GenerationSettings::min_p>},
    Key{"top_k", set_top_k},
    Key{"repetition_penalty", set_penalty},
    Key{"num_beams", one_only},
    Key{"num_return_sequences", one_only},
};

std::string unknown(const std::string& name) {
  std::vector<std::string> names;
  for (const Key& key : kKeys) names.emplace_back(key.name);
  const auto near = base::nearest_names(name, names);
  return fmt::format("unknown key '{}'; there is {}", name,
                     base::join_or(near.empty() ? names : near));
}

std::string set_key(GenerationSettings& settings, const std::string& name, const Value& value) {
  const auto key = std::ranges::find(kKeys, name, &Key::name);
  if (key == kKeys.end()) return unknown(name);
  const std::string wanted = key->set(settings, value);
  return wanted.empty()
             ? ""
             : fmt::format("{}: found {}, wanted {}", name, describe_value(value), wanted);
}

std::size_t max_tokens(const Dict& arguments) {
  for (const std::string_view name : kMaxTokens)
    if (const Value* value = arguments.find(name); value != nullptr && value->is_number())
      return static_cast<std::size_t>(value->as_number());
  return kDefaultMaxTokens;
}

}  // namespace

Value generation_arguments(const TaskConfig& config) {
  if (config.generation_kwargs.is_none()) {
    if (config.output_type != core::OutputType::generate_until) return {};
    Dict fresh;
    fresh.set("temperature", 0.0);
    fresh.set("do_sample", false);
    fresh.set("max_gen_toks", 256);
    fresh.set("until", List{config.fewshot_delimiter});
    return fresh;
  }
  Dict given = config.generation_kwargs.as_dict();
  if (const Value* temperature = given.find("temperature"sv); temperature && temperature->is_int())
    given.set("temperature", temperature->as_number());
  if (given.find("until"sv) == nullptr) given.set("until", List{config.fewshot_delimiter});
  return given;
}

namespace {

Value overridden(const Value& arguments, const Value& overrides) {
  if (!arguments.is_dict() || !overrides.is_dict()) return arguments;
  Dict result = arguments.as_dict();
  for (const auto& [key, value] : overrides.as_dict()) result.set(key, value);
  return result;
}

/// What is given of the settings, without the name of a mode.
Value given_arguments(const TaskConfig& config, const BuildOptions& options) {
  const Value& own = config.generation_kwargs;
  if (options.generation_mode == nullptr || !own.is_dict())
    return overridden(own, options.generation_kwargs);
  return mode_arguments(*options.generation_mode, own);
}

}  // namespace

Value arguments_in_force(const TaskConfig& config, const BuildOptions& options) {
  Value arguments = given_arguments(config, options);
  if (options.generation_mode == nullptr || !arguments.is_dict()) return arguments;
  return named_arguments(*options.generation_mode, std::move(arguments));
}

std::size_t repeats_in_force(const TaskConfig& config, const BuildOptions& options) {
  const bool generates = config.output_type == core::OutputType::generate_until;
  if (generates && options.repetitions) return *options.repetitions;
  return static_cast<std::size_t>(config.repeats);
}

base::Result<GenerationSettings> generation_settings(const TaskConfig& config,
                                                     const BuildOptions& options) {
  GenerationSettings settings;
  if (options.generation_mode != nullptr) settings.parameters = options.generation_mode->parameters;
  const Value arguments = given_arguments(config, options);
  const Dict given = arguments.is_dict() ? arguments.as_dict() : Dict{};
  for (const auto& [key, value] : given)
    if (const std::string problem = set_key(settings, base::python::str(key), value);
        !problem.empty())
      return base::input_error(
          fmt::format("{}: {}", field_place(config, "generation_kwargs"), problem));
  settings.max_tokens = max_tokens(given);
  if (given.find("do_sample"sv) == nullptr) settings.sample = settings.temperature > 0;
  if (!settings.sample) settings.temperature = 0;
  if (settings.temperature == 0) settings.sample = false;
  // What transformers' generate() does where nothing else is said, and so lm-eval's numbers.
  if (settings.sample && given.find("top_k"sv) == nullptr) settings.top_k = 50;
  return settings;
}

}  // namespace tare::task
