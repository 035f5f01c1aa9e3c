#include "cli/run_cache.h"

#include <fmt/format.h>

#include <filesystem>
#include <utility>

#include "base/json.h"
#include "cli/build_info.h"
#include "cli/cache_dir.h"
#include "cli/tell.h"
#include "plan/request_key.h"

namespace tare::cli {
namespace {

namespace fs = std::filesystem;
using base::Dict;
using base::Result;
using base::Value;

std::string_view text_entry(const Value& dict, std::string_view key) {
  const Value* found = dict.find(key);
  return found != nullptr && found->is_string() ? std::string_view(found->as_string()) : "";
}

/// All that can change an answer but the request itself; no name and no path.
Value answerer(const backend::Identity& identity, const backend::Capabilities& can) {
  const Value build = build_info();
  Dict dict;
  dict.set("weights_sha256", identity.weights_sha256);
  dict.set("backend", identity.backend);
  dict.set("version", identity.version);
  dict.set("settings", identity.settings);
  dict.set("context_length", can.context_length);
  dict.set("tare", text_entry(build, "version"));
  dict.set("compiler", text_entry(build, "compiler"));
  return dict;
}

/// Why answers of this backend cannot stand for those of another run; "" if they can.
std::string unfit(const backend::Identity& identity, core::InvarianceVerdict invariance) {
  if (text_entry(identity.settings, "mode") == "fast")
    return "in --mode fast an answer depends on what is computed beside it";
  if (invariance == core::InvarianceVerdict::broken)
    return "the probe found that an answer depends on what is computed beside it";
  if (identity.weights_sha256.empty())
    return fmt::format("the weights of {} have no hash that tells them from others",
                       identity.model_name);
  return "";
}

/// Defaults that are not known, or by which the same question has another answer each time, make no
/// answer that another run may take.
std::optional<std::string> fixed_defaults(const backend::Identity& identity,
                                          const backend::Capabilities& can) {
  if (!can.repeatable_defaults || !identity.generation_defaults.is_dict()) return std::nullopt;
  return base::json::dump(identity.generation_defaults);
}

/// Where answers are kept if the user says nothing; "" for nowhere.
fs::path default_file(const backend::Identity& identity) {
  const fs::path folder = cache_dir();
  if (folder.empty() || text_entry(identity.settings, "mode") != "pinned") return {};
  return folder / "answers.sqlite";
}

}  // namespace

base::Status RunCache::check(const CacheOption& option) {
  if (!option.file) return {};
  auto status = store::ResponseCache::check(*option.file);
  if (!status) return base::in_context("--cache", status.error());
  return {};
}

Result<RunCache> RunCache::open(const CacheOption& option, const backend::Backend& backend,
                                core::InvarianceVerdict invariance, const plan::Plan& plan,
                                std::span<const core::BuiltTask> tasks) {
  RunCache unused(std::nullopt, std::nullopt, plan, tasks);
  if (option.off) return unused;
  const backend::Identity identity = backend.identity();
  const fs::path file = option.file.value_or(default_file(identity));
  if (file.empty()) return unused;
  if (const std::string reason = unfit(identity, invariance); !reason.empty()) {
    if (option.file) tell("tare: note: --cache {}: not used, {}\n", file.string(), reason);
    return unused;
  }
  const backend::Capabilities can = backend.capabilities();
  auto cache = store::ResponseCache::open(file, answerer(identity, can));
  if (cache) return RunCache(std::move(*cache), fixed_defaults(identity, can), plan, tasks);
  if (option.file) return base::in_context("--cache", cache.error());
  unused.give_up(cache.error());
  return unused;
}

std::optional<std::string> RunCache::key_of(std::size_t position) const {
  const plan::EncodedRequest& request = plan_->requests[position];
  const core::GenerationSettings& settings = tasks_[request.task].generation;
  const bool own = settings.parameters != core::GenerationParameters::given;
  if (request.generates() && own && !defaults_) return std::nullopt;
  return plan::request_key(request, settings, defaults_.value_or(""));
}

void RunCache::give_up(const base::Error& error) {
  tell("tare: warning: response cache: {}; this run goes on without it\n", error.text);
  cache_.reset();
}

std::vector<core::Answered> RunCache::look_up(std::span<const core::Answered> known) {
  std::vector<core::Answered> found;
  if (!cache_ || cache_->new_answerer()) return found;
  std::vector<bool> answered(plan_->requests.size());
  for (const core::Answered& one : known) answered[one.position] = true;
  for (const auto* order : {&plan_->order, &plan_->generations}) {
    for (const std::size_t position : *order) {
      const auto key = answered[position] ? std::nullopt : key_of(position);
      if (!key) continue;
      auto answer = cache_->find(*key);
      if (!answer) {
        give_up(answer.error());
        return found;
      }
      if (*answer) found.push_back({position, std::move(**answer)});
    }
  }
  return found;
}

void RunCache::keep(std::span<const core::Answered> answers) {
  if (!cache_) return;
  std::vector<store::CachedAnswer> kept;
  kept.reserve(answers.size());
  for (const core::Answered& one : answers)
    if (auto key = key_of(one.position)) kept.push_back({std::move(*key), one.answer});
  if (const auto status = cache_->add(kept); !status) give_up(status.error());
}

}  // namespace tare::cli
