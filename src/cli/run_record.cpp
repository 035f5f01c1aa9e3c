#include "cli/run_record.h"

#include <chrono>

#include "backend/capability_names.h"
#include "base/or_none.h"
#include "cli/build_info.h"
#include "cli/machine.h"
#include "cli/model_manner.h"
#include "cli/prepare.h"

namespace tare::cli {
namespace {

using base::Dict;
using base::List;
using base::or_none;
using base::Value;
using Clock = std::chrono::steady_clock;

const Clock::time_point kProcessStart = Clock::now();

std::string_view name_of(plan::Overlength overlength) {
  switch (overlength) {
    case plan::Overlength::fail:
      return "fail";
    case plan::Overlength::skip:
      return "skip";
    case plan::Overlength::truncate:
      return "truncate";
  }
  return "?";
}

Value samples_value(const task::BuildOptions& build) {
  if (build.samples.empty()) return {};
  Dict samples;
  for (const auto& [task, indices] : build.samples)
    samples.set(task, List(indices.begin(), indices.end()));
  return samples;
}

Value paths_value(const std::vector<std::filesystem::path>& paths) {
  List list;
  for (const auto& path : paths) list.emplace_back(path.string());
  return list;
}

Value seeds_value(const RunOptions& options) {
  List seeds;
  for (const auto& seed : options.seeds) seeds.push_back(or_none(seed));
  return seeds;
}

Value arguments_value(const ModelSpec& model) {
  Dict arguments;
  arguments.set("path", model.name);
  for (const auto& [name, value] : model.arguments) arguments.set(name, value);
  return arguments;
}

}  // namespace

double seconds_since_process_start() {
  return std::chrono::duration<double>(Clock::now() - kProcessStart).count();
}

base::Value capabilities_value(const backend::Capabilities& can) {
  Dict value;
  for (const auto& [name, member] : backend::capability_names()) value.set(name, can.*member);
  return value;
}

base::Dict weights_value(const std::string& sha256) {
  Dict value;
  value.set("weights_sha256", sha256);
  return value;
}

base::Dict identity_value(const backend::Identity& identity) {
  Dict value;
  value.set("name", identity.backend);
  value.set("version", identity.version);
  value.set("weights_sha256", identity.weights_sha256);
  value.set("settings", identity.settings);
  return value;
}

base::Dict backend_value(const backend::Backend& backend) {
  const backend::Identity identity = backend.identity();
  Dict value;
  value.set("name", identity.backend);
  value.set("version", identity.version);
  value.set("weights_sha256", identity.weights_sha256);
  value.set("context_length", backend.capabilities().context_length);
  value.set("capabilities", capabilities_value(backend.capabilities()));
  value.set("settings", identity.settings);
  value.set("generation_defaults", identity.generation_defaults);
  return value;
}

base::Value settings_value(const RunOptions& options) {
  const task::BuildOptions& build = options.build;
  Dict settings;
  List tasks(options.tasks.begin(), options.tasks.end());
  settings.set("tasks", std::move(tasks));
  settings.set("include_path", paths_value(options.include_paths));
  settings.set("datasets", paths_value(options.datasets));
  settings.set("num_fewshot", or_none(build.num_fewshot));
  settings.set("limit", or_none(build.limit));
  settings.set("samples", samples_value(build));
  settings.set("system_instruction",
               build.system_instruction.empty() ? Value() : Value(build.system_instruction));
  settings.set("fewshot_as_multiturn", options.chat.multiturn);
  settings.set("chat", options.chat.used);
  settings.set("gen_kwargs", build.generation_kwargs);
  settings.set("generation_mode", build.generation_mode == nullptr
                                      ? Value()
                                      : Value(std::string(build.generation_mode->name)));
  settings.set("repetitions", or_none(build.repetitions));
  settings.set("metadata", build.metadata);
  settings.set("predict_only", build.predict_only);
  settings.set("allow_python", options.allow_python);
  settings.set("confirm_run_unsafe_code", build.run_unsafe_code);
  settings.set("seed", seeds_value(options));
  settings.set("mode", options.fast ? "fast" : "pinned");
  settings.set("overlength", name_of(options.overlength));
  if (options.pin) settings.set("pin", options.pin->sha256);
  return settings;
}

void fill_record(core::RunRecord& record, const RunOptions& options,
                 const backend::Backend& backend, const plan::Plan& plan) {
  const backend::Identity identity = backend.identity();
  const ModelSpec model = without_manner(options.model);
  record.model = model.text;
  record.model_name = identity.model_name;
  record.model_arguments = arguments_value(model);
  record.model_path = identity.model_path;
  record.backend = backend_value(backend);
  record.context_length = backend.capabilities().context_length;
  record.settings = settings_value(options);
  record.chat_template = options.chat.source;
  record.build = build_info();
  if (backend.capabilities().token_ids) record.tokens = plan.tokens;
}

void fill_execution(core::Execution& execution, const backend::Backend& backend, double seconds) {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  execution.timings.total = seconds;
  execution.ended = std::chrono::duration<double>(now).count();
  execution.started = execution.ended - execution.timings.total;
  execution.tokens = backend.computed_tokens();
  execution.backend = backend.identity().circumstances;
  execution.machine = machine_value();
  execution.peak_memory = peak_memory();
}

}  // namespace tare::cli
