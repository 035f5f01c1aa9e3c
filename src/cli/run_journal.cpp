#include "cli/run_journal.h"

#include <fmt/format.h>

#include <filesystem>

#include "backend/capability_names.h"
#include "cli/build_info.h"
#include "cli/http_backends.h"
#include "cli/model_manner.h"
#include "cli/run_record.h"
#include "plan/digest.h"
#include "store/fields.h"
#include "store/invariance.h"

namespace tare::cli {
namespace {

namespace field = store::fields::journal;
using base::Dict;
using base::Value;

/// The argument that says where a server is.
constexpr std::string_view kServerUrl = "url";

/// Options that say where things are, or what they are called, and no more.
bool is_place(std::string_view option) {
  return option == "include_path" || option == "datasets";
}

Value options_value(const RunOptions& options) {
  const Value settings = settings_value(options);
  Dict compared;
  for (const auto& [name, value] : settings.as_dict()) {
    if (is_place(name.as_string())) continue;
    compared.set(name.as_string() == "chat" ? Value("apply_chat_template") : name, value);
  }
  Dict arguments;
  const bool served = is_http_scheme(options.model.scheme);
  for (const auto& [name, value] : without_manner(options.model).arguments)
    if (!served || name != kServerUrl) arguments.set(name, value);
  compared.set("model_args", std::move(arguments));
  return compared;
}

/// By name without folder, so that a file may lie elsewhere on another machine.
Value files_value(const core::BuiltTask& task) {
  Dict files;
  for (const core::SourceFile& file : task.files) {
    const std::string name = std::filesystem::path(file.path).filename().string();
    std::string unique = name;
    for (int n = 2; files.find(unique) != nullptr; ++n) unique = fmt::format("{} ({})", name, n);
    files.set(unique, file.sha256);
  }
  return files;
}

Value tasks_value(const std::vector<core::BuiltTask>& tasks) {
  Dict all;
  for (const core::BuiltTask& task : tasks) {
    Dict one;
    one.set(field::kFiles, files_value(task));
    all.set(task.name, std::move(one));
  }
  return all;
}

Value groups_value(const std::vector<PlannedGroup>& groups) {
  Dict all;
  for (const auto& [config, metrics] : groups) {
    Dict one;
    one.set("children", base::List(config.children.begin(), config.children.end()));
    one.set("aggregate_metric_list", config.aggregate_metric_list);
    one.set("metadata", config.metadata);
    one.set("alias", config.alias.value_or(config.name));
    all.set(config.name, std::move(one));
  }
  return all;
}

Value entry(const Value& dict, std::string_view key) {
  const Value* found = dict.find(key);
  return found != nullptr ? *found : Value();
}

std::string text(const Value& value) {
  return value.is_string() ? value.as_string() : "";
}

Dict dict_of(const Value& value) {
  return value.is_dict() ? value.as_dict() : Dict();
}

/// What is known takes the place of what is recorded, inside of dicts too.
Value laid_over(const Value& recorded, const Value& known) {
  if (!recorded.is_dict() || !known.is_dict()) return known;
  Dict all = recorded.as_dict();
  for (const auto& [key, value] : known.as_dict())
    all.set(key, laid_over(entry(recorded, key.as_string()), value));
  return all;
}

void set_questions(Dict& settings, const Asked& asked) {
  settings.set(field::kBuild, build_info());
  settings.set(field::kOptions, options_value(asked.options));
  settings.set(field::kTasks, tasks_value(asked.tasks));
  settings.erase(field::kGroups);
  if (!asked.groups.empty()) settings.set(field::kGroups, groups_value(asked.groups));
}

void set_shard(store::JournalHeader& header, const RunOptions& options) {
  header.shard = options.shard ? options.shard->index : 1;
  header.shards = options.shard ? options.shard->count : 1;
}

}  // namespace

backend::Identity identity_of(const store::JournalHeader& header) {
  const Value backend = entry(header.settings, field::kBackend);
  backend::Identity identity;
  identity.backend = text(entry(backend, "name"));
  identity.version = text(entry(backend, "version"));
  identity.weights_sha256 = text(entry(backend, "weights_sha256"));
  identity.settings = entry(backend, "settings");
  identity.generation_defaults = entry(backend, "generation_defaults");
  return identity;
}

backend::Capabilities capabilities_of(const store::JournalHeader& header) {
  const Value backend = entry(header.settings, field::kBackend);
  const Value recorded = entry(backend, "capabilities");
  backend::Capabilities can;
  for (const auto& [name, member] : backend::capability_names())
    can.*member = entry(recorded, name).truthy();
  if (const Value length = entry(backend, "context_length"); length.is_int())
    can.context_length = static_cast<std::size_t>(length.as_int());
  return can;
}

base::Result<core::Invariance> invariance_of(const store::JournalHeader& header) {
  return store::read_invariance(entry(header.settings, field::kInvariance));
}

void set_requests(store::JournalHeader& header, const std::vector<core::BuiltTask>& tasks,
                  const plan::Plan& plan) {
  header.requests = plan.requests.size();
  header.requests_sha256 = plan::digest(tasks, plan.requests);
  header.asked = plan.order.size() + plan.generations.size();
}

store::JournalHeader expected_header(store::JournalHeader recorded, const Asked& asked,
                                     const base::Dict& backend) {
  Dict settings = dict_of(recorded.settings);
  settings.set(field::kBackend, laid_over(entry(recorded.settings, field::kBackend), backend));
  set_questions(settings, asked);
  recorded.settings = std::move(settings);
  set_shard(recorded, asked.options);
  return recorded;
}

store::JournalHeader journal_header(const Asked& asked, const plan::Plan& plan,
                                    const backend::Backend& backend,
                                    const core::Invariance& invariance,
                                    std::vector<std::string> command) {
  Dict settings;
  settings.set(field::kBackend, backend_value(backend));
  settings.set(field::kInvariance, store::invariance_value(invariance));
  set_questions(settings, asked);
  store::JournalHeader header;
  header.settings = std::move(settings);
  set_requests(header, asked.tasks, plan);
  set_shard(header, asked.options);
  header.command = std::move(command);
  std::error_code unknown;
  header.folder = std::filesystem::current_path(unknown).string();
  return header;
}

}  // namespace tare::cli
