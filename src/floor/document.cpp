#include <fmt/format.h>

#include "base/or_none.h"
#include "floor/mechanism.h"
#include "floor/report.h"
#include "store/fields.h"

namespace tare::floor {
namespace {

using base::Dict;
using base::or_none;
using base::Value;

base::List texts(const std::vector<std::string>& from) {
  return {from.begin(), from.end()};
}

Value histogram_value(const Histogram& histogram) {
  base::List counts(histogram.counts.begin(), histogram.counts.end());
  Dict dict;
  dict.set("lowest_decade", Histogram::kLowestDecade);
  dict.set("bins_per_decade", Histogram::kPerDecade);
  dict.set("zero", histogram.zero);
  dict.set("counts", std::move(counts));
  return dict;
}

Value divergences_value(const std::optional<Divergences>& numbers) {
  if (!numbers) return {};
  Dict kl;
  kl.set("mean", numbers->mean);
  kl.set("median", numbers->median);
  kl.set("p99", numbers->p99);
  kl.set("max", numbers->most);
  kl.set("histogram", histogram_value(numbers->histogram));
  Dict change;
  change.set("mean", numbers->mean_change);
  change.set("max", numbers->most_change);
  Dict dict;
  dict.set("positions", numbers->positions);
  dict.set("kl_nats", std::move(kl));
  dict.set("abs_log_p_change", std::move(change));
  dict.set("same_top_share", numbers->same_top);
  dict.set("equal_share", numbers->equal);
  dict.set("bitwise_equal", numbers->all_equal());
  return dict;
}

Value setting_value(const SettingFindings& row, const Setting& reference) {
  Dict dict;
  dict.set("name", row.setting.name);
  dict.set("factors", texts(factors_of(row.setting, reference)));
  dict.set("tiers", texts(row.setting.tiers));
  dict.set("manner", manner_value(row.setting.manner));
  dict.set("state", std::string(state_name(row.state)));
  dict.set("reason", or_none(row.reason));
  dict.set("equal_expected", equal_expected(row.setting, reference));
  dict.set("divergence", divergences_value(row.divergences));
  return dict;
}

Value floor_value(const std::optional<Floor>& floor) {
  if (!floor) return {};
  Dict dict;
  dict.set("mean_kl_nats", floor->divergence);
  dict.set("setting", floor->setting);
  return dict;
}

Value file_value(const FileFindings& file, const Findings& findings) {
  Dict dict;
  dict.set("name", file.name);
  dict.set("sha256", or_none(file.sha256));
  dict.set("model", or_none(file.model));
  dict.set("loss_nats", or_none(file.loss));
  dict.set("reference", setting_value(file.reference, file.reference.setting));
  base::List rows;
  for (const SettingFindings& row : file.settings)
    rows.push_back(setting_value(row, file.reference.setting));
  dict.set("settings", std::move(rows));
  dict.set("floor", floor_value(floor_of(file, findings.pinned)));
  return dict;
}

Value condition_value(const Condition& condition) {
  Dict dict;
  dict.set("holds", condition.holds ? Value(*condition.holds) : Value());
  dict.set("text", condition.text);
  return dict;
}

Value verdict_value(const Verdict& verdict) {
  Dict dict;
  dict.set("judgement", std::string(judgement_name(verdict.judgement)));
  dict.set("sentence", verdict.sentence);
  base::List conditions;
  for (const Condition& condition : verdict.conditions)
    conditions.push_back(condition_value(condition));
  dict.set("conditions", std::move(conditions));
  return dict;
}

Value pair_value(const PairFindings& pair, const Findings& findings) {
  const FileFindings &first = findings.files.front(), &other = findings.files[pair.file];
  Dict dict;
  dict.set("files", texts({first.name, other.name}));
  dict.set("divergence", divergences_value(pair.divergences));
  dict.set("reason", or_none(pair.reason));
  base::List ratios;
  for (const FileFindings* file : {&first, &other}) {
    const auto floor = floor_of(*file, findings.pinned);
    ratios.push_back(or_none(floor ? ratio_to_pair(*floor, pair) : std::nullopt));
  }
  dict.set("floor_ratios", std::move(ratios));
  dict.set("verdict", verdict_value(pair.verdict));
  return dict;
}

Value mechanism_value(const Findings& findings) {
  const auto mechanism = mechanism_of(findings);
  if (!mechanism) return {};
  base::List files;
  for (const FormatFindings& one : mechanism->files) {
    Dict dict;
    dict.set("name", one.file);
    dict.set("model", or_none(one.model));
    dict.set("compared", one.compared);
    dict.set("bitwise_equal", one.equal);
    dict.set("typical_kl_nats", or_none(one.typical));
    dict.set("times_first", or_none(one.times_first));
    files.push_back(std::move(dict));
  }
  Dict dict;
  dict.set("settings", texts(mechanism->settings));
  dict.set("files", std::move(files));
  return dict;
}

}  // namespace

Value manner_value(const core::Manner& manner) {
  Dict dict;
  const auto set = [&](std::string_view name, Value value) {
    dict.set(std::string(name), std::move(value));
  };
  set(kTier, or_none(manner.tier));
  set(kThreads, manner.threads);
  set(kBatch, manner.batch);
  set(kMicroBatch, manner.micro_batch);
  set(kFlashAttention, manner.flash_attention);
  set(kRepack, manner.repack);
  set(kKv, manner.kv == core::KvType::f16 ? "f16" : "f32");
  set(kSequences, manner.sequences);
  set(kUnifiedKv, manner.unified_kv);
  set(kPrefix, manner.prefix);
  return dict;
}

Value document_of(const Findings& findings) {
  Dict dict;
  dict.set(store::fields::kSchemaVersion, store::fields::kFloorVersion);
  dict.set("program", findings.program);
  dict.set("machine", findings.machine);
  dict.set("text", findings.text);
  dict.set("window", findings.window);
  dict.set("positions", findings.positions);
  dict.set("pinned", texts(findings.pinned));
  base::List files;
  for (const FileFindings& file : findings.files) files.push_back(file_value(file, findings));
  dict.set("files", std::move(files));
  base::List pairs;
  for (const PairFindings& pair : findings.pairs) pairs.push_back(pair_value(pair, findings));
  dict.set("pairs", std::move(pairs));
  dict.set("mechanism", mechanism_value(findings));
  dict.set("answers", findings.answers ? answers_value(*findings.answers) : Value());
  dict.set("warnings", texts(warnings_of(findings)));
  return dict;
}

}  // namespace tare::floor
