#include "study/design.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "base/nearest.h"
#include "base/one_line.h"
#include "base/python.h"
#include "study/mapping.h"
#include "task/generation_mode.h"
#include "text/yaml.h"

namespace tare::study {
namespace {

using base::Result;
using base::Status;
using base::Value;
using std::string_view;

constexpr std::array<string_view, 14> kKeys{
    "name",        "output", "baseline", "models", "backends", "modes",     "benchmarks",
    "repetitions", "limit",  "seed",     "alpha",  "radius",   "resamples", "options"};
constexpr std::array<string_view, 2> kBackendKeys{"model", "models"};
constexpr std::array<string_view, 7> kBenchmarkKeys{"tasks",  "limit",   "strata", "cluster",
                                                    "family", "metrics", "ideals"};
/// The options of `tare run` that hold for all cells; what a cell is made of is not among them.
constexpr std::array<string_view, 16> kOptions{"allow_python",
                                               "apply_chat_template",
                                               "batch_size",
                                               "cache",
                                               "confirm_run_unsafe_code",
                                               "cpu_tier",
                                               "datasets",
                                               "fewshot_as_multiturn",
                                               "include_path",
                                               "metadata",
                                               "num_fewshot",
                                               "offline",
                                               "overlength",
                                               "python",
                                               "system_instruction",
                                               "threads"};
constexpr std::size_t kMostRepetitions = 1000;

/// Names become folders, so they are plain.
Status check_name(const std::string& place, const std::string& name) {
  const bool plain =
      !name.empty() && name.front() != '.' && std::ranges::all_of(name, [](unsigned char c) {
        return std::isalnum(c) != 0 || c == '-' || c == '_' || c == '.' || c == '+';
      });
  if (plain) return {};
  return base::input_error(fmt::format(
      "{}: the name '{}' becomes a folder; wanted letters, digits and - _ . + alone", place, name));
}

/// name: value pairs in the order of the file.
Result<std::vector<std::pair<std::string, Value>>> named(const Mapping& file, string_view key,
                                                         string_view example) {
  const Value& value = file.at(key);
  if (!value.is_dict() || value.as_dict().empty())
    return base::input_error(fmt::format("{}: found {}, wanted a mapping such as {}",
                                         file.place(key), shown(value), example));
  std::vector<std::pair<std::string, Value>> all;
  for (const auto& [name, entry] : value.as_dict()) {
    all.emplace_back(base::python::str(name), entry);
    TARE_CHECK(check_name(file.place(key), all.back().first));
  }
  return all;
}

Status read_models(const Mapping& file, Design& design) {
  TARE_TRY(const auto models, named(file, "models", "{small: {gguf: small.gguf}}"));
  for (const auto& [name, entry] : models) {
    StudyModel model{name, {}};
    const std::string place = fmt::format("{}: {}", file.place("models"), name);
    if (!entry.is_dict())
      return base::input_error(
          fmt::format("{}: found {}, wanted a mapping from the names that stand in braces in "
                      "`backends` to paths or URLs",
                      place, shown(entry)));
    for (const auto& [key, value] : entry.as_dict()) {
      auto text = scalar_text(value);
      if (!text)
        return base::input_error(fmt::format("{}: {}: found {}, wanted a path or URL", place,
                                             base::python::str(key), shown(value)));
      model.places[base::python::str(key)] = std::move(*text);
    }
    design.models.push_back(std::move(model));
  }
  return {};
}

Status read_backend(const std::string& place, const Value& entry, StudyBackend& backend) {
  if (entry.is_string()) {
    backend.spelling = entry.as_string();
    return {};
  }
  TARE_TRY(const Mapping mapping, Mapping::read(entry, place, kBackendKeys));
  TARE_TRY(backend.spelling, mapping.text("model"));
  TARE_TRY(backend.models, mapping.texts("models"));
  if (backend.spelling.empty())
    return base::input_error(place + ": has no model; wanted e.g. model: \"hf:{gguf}\"");
  return {};
}

Status read_backends(const Mapping& file, Design& design) {
  TARE_TRY(const auto backends, named(file, "backends", "{hf: \"hf:{gguf}\"}"));
  for (const auto& [name, entry] : backends) {
    StudyBackend backend{name, "", {}};
    TARE_CHECK(read_backend(fmt::format("{}: {}", file.place("backends"), name), entry, backend));
    for (const std::string& model : backend.models)
      if (std::ranges::find(design.models, model, &StudyModel::name) == design.models.end())
        return base::input_error(fmt::format("{}: {}: there is no model '{}' in `models`",
                                             file.place("backends"), name, model));
    for (const StudyModel& model : design.models)
      if (is_for(backend, model)) {
        auto spelling = spelling_of(backend, model);
        if (!spelling) return base::in_context(file.place("backends"), spelling.error());
      }
    design.backends.push_back(std::move(backend));
  }
  return {};
}

Status read_baseline(const Mapping& file, Design& design) {
  TARE_TRY(design.baseline, file.text("baseline"));
  if (design.baseline.empty()) design.baseline = design.backends.front().name;
  const auto found = std::ranges::find(design.backends, design.baseline, &StudyBackend::name);
  std::vector<std::string> names;
  for (const StudyBackend& backend : design.backends) names.push_back(backend.name);
  if (found == design.backends.end())
    return base::input_error(fmt::format("{}: there is no backend '{}'; wanted {}",
                                         file.place("baseline"), design.baseline,
                                         base::join_or(names)));
  if (!found->models.empty())
    return base::input_error(fmt::format("{}: {} is for some models alone; wanted one for all",
                                         file.place("baseline"), design.baseline));
  return {};
}

Status read_modes(const Mapping& file, Design& design) {
  TARE_TRY(design.modes, file.texts("modes"));
  std::vector<std::string> known;
  for (const task::GenerationMode& mode : task::generation_modes()) known.emplace_back(mode.name);
  if (design.modes.empty()) design.modes = known;
  for (const std::string& mode : design.modes)
    if (std::ranges::find(known, mode) == known.end())
      return base::input_error(fmt::format("{}: found '{}', wanted {}", file.place("modes"), mode,
                                           base::join_or(known)));
  return {};
}

Status read_ideals(const Mapping& benchmark, Design& design) {
  if (!benchmark.has("ideals")) return {};
  static const std::map<std::string, stats::Ideal, std::less<>> kIdeals{
      {"one", stats::Ideal::one}, {"zero", stats::Ideal::zero}, {"half", stats::Ideal::half}};
  const Value& ideals = benchmark.at("ideals");
  if (ideals.is_dict())
    for (const auto& [metric, value] : ideals.as_dict()) {
      const auto found = kIdeals.find(scalar_text(value).value_or(""));
      if (found == kIdeals.end())
        return base::input_error(fmt::format("{}: found {}, wanted one, zero or half",
                                             benchmark.place("ideals"), shown(value)));
      design.ideals[base::python::str(metric)] = found->second;
    }
  return {};
}

Status read_benchmark(const Mapping& file, const std::string& name, const Value& entry,
                      Design& design) {
  const std::string place = fmt::format("{}: {}", file.place("benchmarks"), name);
  Benchmark benchmark;
  benchmark.name = name;
  TARE_TRY(const Mapping mapping,
           Mapping::read(entry.is_none() ? Value(base::Dict()) : entry, place, kBenchmarkKeys));
  TARE_TRY(benchmark.tasks, mapping.texts("tasks"));
  if (benchmark.tasks.empty()) benchmark.tasks = {name};
  TARE_TRY(const auto own, mapping.count("limit", 1));
  TARE_TRY(const auto common, file.count("limit", 1));
  if (own || common) benchmark.limit = static_cast<std::size_t>(own ? *own : *common);
  TARE_TRY(benchmark.strata, mapping.text("strata"));
  TARE_TRY(benchmark.cluster, mapping.text("cluster"));
  TARE_TRY(benchmark.family, mapping.text("family"));
  if (benchmark.family.empty()) benchmark.family = usual_family(name);
  TARE_TRY(benchmark.metrics, mapping.texts("metrics"));
  TARE_CHECK(read_ideals(mapping, design));
  design.benchmarks.push_back(std::move(benchmark));
  return {};
}

Status read_benchmarks(const Mapping& file, Design& design) {
  if (file.at("benchmarks").is_list()) {
    TARE_TRY(const auto names, file.texts("benchmarks"));
    for (const std::string& name : names) {
      TARE_CHECK(check_name(file.place("benchmarks"), name));
      TARE_CHECK(read_benchmark(file, name, {}, design));
    }
    if (!names.empty()) return {};
  }
  TARE_TRY(const auto benchmarks, named(file, "benchmarks", "{mmlu: {tasks: mmlu_gen}}"));
  for (const auto& [name, entry] : benchmarks)
    TARE_CHECK(read_benchmark(file, name, entry, design));
  return {};
}

/// What a truth value means for an option: the flag alone, or nothing. `off` is YAML's false.
void set_switch(const std::string& flag, bool on, Design& design) {
  if (on) design.flags[flag] = {};
  if (!on && flag == "--cache") design.flags[flag] = {"off"};
  if (!on && flag == "--fewshot-as-multiturn") design.flags[flag] = {"false"};
}

Status read_options(const Mapping& file, Design& design) {
  if (!file.has("options")) return {};
  TARE_TRY(const Mapping options,
           Mapping::read(file.at("options"), file.place("options"), kOptions));
  for (const string_view key : kOptions) {
    if (!options.has(key)) continue;
    std::string flag = fmt::format("--{}", key);
    std::ranges::replace(flag, '_', '-');
    if (options.at(key).is_bool()) {
      set_switch(flag, options.at(key).as_bool(), design);
      continue;
    }
    TARE_TRY(design.flags[flag], options.texts(key));
  }
  return {};
}

Status read_numbers(const Mapping& file, Design& design) {
  TARE_TRY(const auto repetitions, file.count("repetitions", 1));
  TARE_TRY(const auto resamples, file.count("resamples", 100));
  TARE_TRY(const auto seed, file.count("seed", 0));
  TARE_TRY(const auto alpha, file.share("alpha"));
  TARE_TRY(const auto radius, file.share("radius"));
  if (repetitions && static_cast<std::size_t>(*repetitions) > kMostRepetitions)
    return base::input_error(fmt::format("{}: found {}, wanted at most {}",
                                         file.place("repetitions"), *repetitions,
                                         kMostRepetitions));
  if (repetitions) design.repetitions = static_cast<std::size_t>(*repetitions);
  if (resamples) design.resamples = static_cast<std::size_t>(*resamples);
  design.seed = seed.value_or(design.seed);
  design.alpha = alpha.value_or(design.alpha);
  design.radius = radius.value_or(design.radius);
  return {};
}

}  // namespace

bool is_for(const StudyBackend& backend, const StudyModel& model) {
  return backend.models.empty() ||
         std::ranges::find(backend.models, model.name) != backend.models.end();
}

Result<std::string> spelling_of(const StudyBackend& backend, const StudyModel& model) {
  std::string out;
  string_view rest = backend.spelling;
  while (true) {
    const std::size_t open = rest.find('{'), close = rest.find('}', open);
    if (open == string_view::npos || close == string_view::npos) return out + std::string(rest);
    const std::string name(rest.substr(open + 1, close - open - 1));
    const auto place = model.places.find(name);
    if (place == model.places.end())
      return base::input_error(fmt::format(
          "{}: {} names {{{}}}, which model {} does not have; wanted `{}: ...` there, or `models:` "
          "here to leave the model out",
          backend.name, backend.spelling, name, model.name, name));
    out += std::string(rest.substr(0, open)) + place->second;
    rest.remove_prefix(close + 1);
  }
}

stats::Ideal usual_ideal(string_view metric) {
  if (metric == "ss") return stats::Ideal::half;
  if (metric == "invalid_rate" || metric.starts_with("ambig_bias_score")) return stats::Ideal::zero;
  return stats::Ideal::one;
}

stats::Ideal ideal_of(const Design& design, const std::string& metric) {
  const auto own = design.ideals.find(metric);
  return own == design.ideals.end() ? usual_ideal(metric.substr(0, metric.find(','))) : own->second;
}

std::string usual_family(string_view benchmark) {
  for (const string_view name : {"mmlu", "triviaqa", "truthfulqa"})
    if (benchmark.starts_with(name)) return "factual";
  for (const string_view name : {"bbq", "stereoset"})
    if (benchmark.starts_with(name)) return "social bias";
  return "other";
}

namespace {

Result<Design> design_of(string_view text, const std::string& place) {
  TARE_TRY(const text::yaml::File yaml, text::yaml::parse_strictly(text, place));
  TARE_TRY(const Mapping file, Mapping::read(yaml.root, place, kKeys));
  Design design;
  TARE_TRY(design.name, file.text("name"));
  if (design.name.empty()) design.name = std::filesystem::path(place).stem().string();
  TARE_CHECK(check_name(file.place("name"), design.name));
  TARE_TRY(const std::string output, file.text("output"));
  design.output = output;
  if (output.empty()) design.output = std::filesystem::path("tare-studies") / design.name;
  TARE_CHECK(read_models(file, design));
  TARE_CHECK(read_backends(file, design));
  TARE_CHECK(read_baseline(file, design));
  TARE_CHECK(read_modes(file, design));
  TARE_CHECK(read_benchmarks(file, design));
  TARE_CHECK(read_numbers(file, design));
  TARE_CHECK(read_options(file, design));
  return design;
}

}  // namespace

Result<Design> read_design(string_view text, const std::string& place) {
  return design_of(text, place).map_error(base::in_one_line);
}

}  // namespace tare::study
