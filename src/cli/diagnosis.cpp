#include "cli/diagnosis.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "base/json.h"
#include "base/python.h"
#include "report/markdown_table.h"
#include "store/invariance.h"

namespace tare::cli {
namespace {

using base::Dict;
using base::List;
using base::Value;
using core::Invariance;
using core::InvarianceVerdict;

constexpr const char* kInvariance = "invariance";
constexpr const char* kError = "error";
constexpr std::size_t kSchemaVersion = 1;

const char* state_name(TierState state) {
  switch (state) {
    case TierState::works:
      return "works";
    case TierState::lacks_instructions:
      return "lacks_instructions";
    case TierState::fails:
      return "fails";
  }
  return "?";
}

std::string state_text(const TierFinding& tier) {
  if (tier.state == TierState::works) return tier.chosen ? "runs here, a run uses it" : "runs here";
  if (tier.state == TierState::lacks_instructions) return "needs instructions that this CPU lacks";
  return tier.fault + " in its probe";
}

std::string verdict_text(const Invariance& invariance) {
  switch (invariance.verdict) {
    case InvarianceVerdict::held:
      return invariance.attempts.size() > 1 ? "held, narrowed" : "held";
    case InvarianceVerdict::broken:
      return "broken";
    case InvarianceVerdict::not_measured:
      return "not measured";
    case InvarianceVerdict::not_promised:
      return "not promised";
    case InvarianceVerdict::by_construction:
      return "by construction";
  }
  return "?";
}

/// Why there is no verdict on a tier; "" where its state says so.
std::string untried_text(const TierFinding& tier) {
  if (tier.state != TierState::works) return "";
  return tier.fault.empty() ? "not tried" : "not tried: " + tier.fault;
}

List tier_row(const TierFinding& tier) {
  if (!tier.invariance) return {tier.name, state_text(tier), untried_text(tier), "", "", ""};
  const Invariance& found = *tier.invariance;
  List row{tier.name, state_text(tier), verdict_text(found), "", "", ""};
  if (!found.attempts.empty()) {
    const core::InvarianceAttempt& last = found.attempts.back();
    row[3] = last.shape_class;
    row[4] = fmt::format("{} of {}", core::differing(last), core::comparisons(last));
  }
  row[5] = fmt::format("{:.1f} s", tier.seconds);
  return row;
}

std::string tier_table(const Diagnosis& diagnosis) {
  std::vector<List> rows;
  if (diagnosis.model.empty()) {
    for (const TierFinding& tier : diagnosis.tiers) rows.push_back({tier.name, state_text(tier)});
    return report::markdown_table({"CPU tier", "State"}, rows);
  }
  for (const TierFinding& tier : diagnosis.tiers) rows.push_back(tier_row(tier));
  return report::markdown_table({"CPU tier", "State", "Invariance", "Shapes", "Differ", "Took"},
                                rows);
}

std::string machine_line(const Diagnosis& diagnosis) {
  constexpr double kGibibyte = 1024.0 * 1024 * 1024;
  const auto of = [&](const char* key) {
    const Value* value = diagnosis.machine.find(key);
    return value == nullptr || value->is_none() ? std::string("unknown")
                                                : base::python::str(*value);
  };
  const Value* bytes = diagnosis.machine.find("memory_bytes");
  return fmt::format("{}, {} processors, {:.1f} GiB of memory, {}", of("cpu"), of("processors"),
                     bytes == nullptr ? 0.0 : bytes->as_number() / kGibibyte, of("system"));
}

std::string cache_line(const Diagnosis& diagnosis) {
  if (!diagnosis.cache_fault.empty()) return diagnosis.cache_fault;
  return diagnosis.cache_folder + ", can be written";
}

Value tier_value(const TierFinding& tier, bool with_model) {
  Dict dict;
  dict.set("name", tier.name);
  dict.set("state", state_name(tier.state));
  dict.set("chosen", tier.chosen);
  dict.set("fault", tier.fault.empty() ? Value() : Value(tier.fault));
  if (!with_model) return dict;
  dict.set(kInvariance, tier.invariance ? store::invariance_value(*tier.invariance) : Value());
  dict.set("seconds", tier.seconds);
  return dict;
}

Value cache_value(const Diagnosis& diagnosis) {
  Dict dict;
  dict.set("folder", diagnosis.cache_folder);
  dict.set("writable", diagnosis.cache_fault.empty());
  dict.set("fault", diagnosis.cache_fault.empty() ? Value() : Value(diagnosis.cache_fault));
  return dict;
}

/// Tiers on which the model holds, as a remedy.
std::string other_tiers(const Diagnosis& diagnosis) {
  std::vector<std::string> names;
  for (const TierFinding& tier : diagnosis.tiers)
    if (tier.invariance && tier.invariance->verdict == InvarianceVerdict::held)
      names.push_back(tier.name);
  if (names.empty()) return "it holds on no tier that was tried (--all-tiers tries each)";
  return fmt::format("it holds with --cpu-tier {}", fmt::join(names, ", "));
}

}  // namespace

std::string diagnosis_text(const Diagnosis& diagnosis) {
  std::string text = fmt::format("{}\nmachine: {}\nthreads of a run: {}\nbackends: {}\ncache: {}\n",
                                 diagnosis.program, machine_line(diagnosis), diagnosis.threads,
                                 fmt::join(diagnosis.backends, ", "), cache_line(diagnosis));
  text += environments_text(diagnosis.environments);
  if (!diagnosis.model.empty()) text += fmt::format("model: {}\n", diagnosis.model);
  if (diagnosis.looked_up)
    text +=
        fmt::format("invariance: {}, it uses no CPU tier\n", verdict_text(*diagnosis.looked_up));
  if (!diagnosis.tiers.empty()) text += "\n" + tier_table(diagnosis);
  return text;
}

Value diagnosis_document(const Diagnosis& diagnosis) {
  Dict dict;
  dict.set("schema_version", kSchemaVersion);
  dict.set("build", diagnosis.build);
  dict.set("machine", diagnosis.machine);
  dict.set("threads", static_cast<std::size_t>(diagnosis.threads));
  dict.set("backends", List(diagnosis.backends.begin(), diagnosis.backends.end()));
  dict.set("python_environments", environments_value(diagnosis.environments));
  dict.set("cache", cache_value(diagnosis));
  dict.set("model", diagnosis.model.empty() ? Value() : Value(diagnosis.model));
  List tiers;
  for (const TierFinding& tier : diagnosis.tiers)
    tiers.push_back(tier_value(tier, !diagnosis.model.empty()));
  dict.set("tiers", std::move(tiers));
  if (diagnosis.looked_up) dict.set(kInvariance, store::invariance_value(*diagnosis.looked_up));
  const base::Status status = verdict(diagnosis);
  dict.set("problem", status ? Value() : Value(status.error().text));
  return dict;
}

base::Status verdict(const Diagnosis& diagnosis) {
  if (diagnosis.looked_up) return {};
  const auto chosen = std::ranges::find(diagnosis.tiers, true, &TierFinding::chosen);
  if (chosen == diagnosis.tiers.end())
    return base::work_failed("none of the CPU tiers runs here; build tare on this machine");
  if (chosen->state != TierState::works)
    return base::work_failed(
        fmt::format("CPU tier {}, which runs use, {} in its probe; remove {}/cpu-tier.json, which "
                    "remembers it",
                    chosen->name, chosen->fault, diagnosis.cache_folder));
  if (diagnosis.model.empty()) return {};
  if (!chosen->invariance)
    return base::work_failed(fmt::format("{} on CPU tier {}: {}; {}", diagnosis.model, chosen->name,
                                         chosen->fault, other_tiers(diagnosis)));
  if (chosen->invariance->verdict == InvarianceVerdict::held) return {};
  return base::work_failed(fmt::format("{} on CPU tier {}: invariance {}, wanted held; {}",
                                       diagnosis.model, chosen->name,
                                       verdict_text(*chosen->invariance), other_tiers(diagnosis)));
}

Value tried_value(const base::Result<Invariance>& tried) {
  Dict dict;
  if (tried)
    dict.set(kInvariance, store::invariance_value(*tried));
  else
    dict.set(kError, tried.error().text);
  return dict;
}

base::Result<Invariance> read_tried(const std::string& json) {
  TARE_TRY(const Value value, base::json::parse(json));
  if (const Value* error = value.find(kError); error != nullptr && error->is_string())
    return base::work_failed(error->as_string());
  const Value* found = value.find(kInvariance);
  if (found == nullptr) return base::work_failed("told nothing");
  return store::read_invariance(*found);
}

}  // namespace tare::cli
