#include "study/run_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "base/json.h"
#include "stats/multiplicity.h"
#include "stats/paired.h"
#include "stats/paired_intervals.h"
#include "study/run_page_items.h"
#include "study/run_page_samples.h"
#include "study/run_page_scores.h"

namespace tare::study {
namespace {

using base::Dict;
using base::List;
using base::Value;
using store::SampledItem;

constexpr std::int64_t kFormatVersion = 1;
/// Items of a part, and the bytes of text at which one is full before that.
constexpr std::size_t kPartItems = 128;
constexpr std::size_t kPartBytes = 1U << 20U;

template <class T>
Value or_none(const std::optional<T>& value) {
  return value ? Value(*value) : Value();
}

const core::TaskRecord* task_of(const ShownRun& run, const std::string& name) {
  for (const core::TaskRecord& task : run.record.tasks)
    if (task.task.name == name) return &task;
  return nullptr;
}

Value scores_of(const core::TaskRecord& record, const Evidence& evidence) {
  List scores;
  for (const core::Estimate& estimate : record.score.estimates)
    scores.push_back(score_value(estimate, evidence));
  return scores;
}

/// Items that both runs were asked, and whether they were the same ones.
struct Pairing {
  stats::PairedCounts counts;
  std::size_t other_documents = 0, other_prompts = 0, one_sided = 0;
};

Pairing pair_up(const std::vector<ItemRow>& rows, std::size_t run, const ItemJudge& judge) {
  Pairing pairing;
  std::vector<stats::Verdicts> verdicts;
  for (const ItemRow& row : rows) {
    const SampledItem *first = row[0], *second = row[run];
    if (first == nullptr || second == nullptr) {
      pairing.one_sided += first != second ? 1 : 0;
      continue;
    }
    if (first->document_hash != second->document_hash) {
      ++pairing.other_documents;
      continue;
    }
    pairing.other_prompts += first->prompt_hash != second->prompt_hash ? 1 : 0;
    const auto was = verdict_of(*first, judge), is = verdict_of(*second, judge);
    if (was && is) verdicts.push_back({*was, *is});
  }
  pairing.counts = stats::count_pairs(verdicts);
  return pairing;
}

Value pair_value(const Pairing& pairing) {
  const stats::PairedCounts& counts = pairing.counts;
  Dict dict;
  dict.set("pairs", counts.total());
  dict.set("both_right", counts.both_right);
  dict.set("lost", counts.only_first);
  dict.set("won", counts.only_second);
  dict.set("both_wrong", counts.both_wrong);
  dict.set("difference", or_none(stats::divergence(counts)));
  dict.set("interval", counts.total() > 0
                           ? interval_value(stats::difference_interval(counts), "Tango")
                           : Value());
  dict.set("p", counts.total() > 0 ? Value(stats::mcnemar_exact(counts)) : Value());
  dict.set("other_documents", pairing.other_documents);
  dict.set("other_prompts", pairing.other_prompts);
  dict.set("one_sided", pairing.one_sided);
  return dict;
}

void add_pair_warnings(const std::string& task, const Pairing& pairing, char letter,
                       std::vector<core::Warning>& all) {
  const auto add = [&](const char* code, std::size_t count, const char* what) {
    if (count > 0)
      all.push_back(
          {code, fmt::format("{}: runs A and {}: {} {}", task, letter, count, what), count});
  };
  add("other-documents", pairing.other_documents,
      "items have another document under the same number; they are not compared");
  add("other-prompts", pairing.other_prompts,
      "items were asked with another prompt; what differs may come from that");
  add("one-sided", pairing.one_sided, "items were asked in one of the two runs alone");
}

/// Holm's adjustment over the tasks, for each run that is compared with the first.
List with_adjusted(const List& tasks, std::size_t runs) {
  List adjusted;
  std::vector<std::vector<double>> p(runs);
  for (const Value& task : tasks)
    for (std::size_t run = 1; run < runs; ++run) {
      const Value* found = task.find("pairs")->items()[run].find("p");
      p[run].push_back(found && found->is_real() ? found->as_real() : std::nan(""));
    }
  for (auto& one : p) one = stats::holm(one);
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    List pairs{Value()};
    for (std::size_t run = 1; run < runs; ++run) {
      Dict pair = tasks[i].find("pairs")->items()[run].as_dict();
      pair.set("adjusted_p", std::isnan(p[run][i]) ? Value() : Value(p[run][i]));
      pairs.emplace_back(std::move(pair));
    }
    Dict task = tasks[i].as_dict();
    task.set("pairs", std::move(pairs));
    adjusted.emplace_back(std::move(task));
  }
  return adjusted;
}

char letter_of(std::size_t run) {
  return static_cast<char>('A' + std::min<std::size_t>(run, 25));
}

Value warnings_value(const std::vector<core::Warning>& warnings) {
  List list;
  for (const core::Warning& warning : warnings) {
    Dict dict;
    dict.set("code", warning.code);
    dict.set("text", warning.text);
    dict.set("count", warning.count);
    list.emplace_back(std::move(dict));
  }
  return list;
}

Value failures_value(const store::RunFacts& facts) {
  Dict dict;
  for (const auto& [reason, count] : facts.failures) dict.set(reason, count);
  return dict;
}

Value run_value(const ShownRun& run, char letter) {
  Dict dict;
  dict.set("letter", std::string(1, letter));
  dict.set("folder", run.folder);
  dict.set("model", run.record.model);
  dict.set("model_name", run.record.model_name);
  dict.set("model_arguments", run.record.model_arguments);
  dict.set("weights_sha256", run.facts.weights_sha256);
  dict.set("backend", run.facts.backend);
  dict.set("backend_version", run.facts.version);
  dict.set("backend_settings", run.facts.backend_settings);
  dict.set("generation_defaults", run.facts.generation_defaults);
  dict.set("settings", run.record.settings);
  dict.set("written_by", run.facts.build);
  dict.set("machine", run.facts.machine);
  dict.set("score_seconds", run.facts.score_seconds);
  dict.set("warnings", warnings_value(run.facts.warnings));
  dict.set("failed_documents", run.facts.failed_documents);
  dict.set("failures", failures_value(run.facts));
  dict.set("tokens_note", run.pieces ? Value() : Value(run.pieces_note));
  return dict;
}

Value groups_value(std::span<const ShownRun> runs) {
  List all;
  for (const ShownRun& run : runs) all.push_back(group_scores(run));
  return all;
}

std::size_t text_size(const ItemRow& row) {
  std::size_t bytes = 0;
  for (const SampledItem* item : row) {
    if (item == nullptr) continue;
    for (const store::ItemRequest& request : item->requests) {
      bytes += request.context.size() + request.continuation.size();
      for (const store::ItemAnswer& answer : request.answers) bytes += answer.text.size();
    }
  }
  return bytes;
}

/// Packs the items and gives back which part each stretch of rows is in.
Value pack_details(const std::vector<ItemRow>& rows, std::span<const Pieces> pieces,
                   std::vector<std::string>& parts) {
  List stretches, items;
  std::size_t first = 0, bytes = 0;
  const auto close = [&](std::size_t end) {
    if (items.empty()) return;
    Dict stretch;
    stretch.set("first", first);
    stretch.set("part", parts.size());
    stretches.emplace_back(std::move(stretch));
    parts.push_back(report::packed(std::exchange(items, {})));
    first = end;
    bytes = 0;
  };
  for (std::size_t i = 0; i < rows.size(); ++i) {
    items.push_back(details_of(rows[i], pieces));
    bytes += text_size(rows[i]);
    if (items.size() == kPartItems || bytes >= kPartBytes) close(i + 1);
  }
  close(rows.size());
  return stretches;
}

/// The part with the texts of tokens of each run; none where they are not known.
Value pack_vocabularies(const std::vector<ItemRow>& rows, std::span<const Pieces> pieces,
                        std::vector<std::string>& parts) {
  List places;
  for (std::size_t run = 0; run < pieces.size(); ++run) {
    if (!pieces[run]) {
      places.emplace_back();
      continue;
    }
    std::string part = report::packed(vocabulary_of(rows, run, pieces[run]));
    const auto same = std::ranges::find(parts, part);
    places.emplace_back(static_cast<std::size_t>(same - parts.begin()));
    if (same == parts.end()) parts.push_back(std::move(part));
  }
  return places;
}

}  // namespace

RunPage::RunPage(std::span<const ShownRun> runs, std::string version)
    : runs_(runs), version_(std::move(version)) {}

std::vector<std::string> RunPage::tasks() const {
  std::vector<std::string> names;
  for (const ShownRun& run : runs_)
    for (const core::TaskRecord& task : run.record.tasks)
      if (std::ranges::find(names, task.task.name) == names.end()) names.push_back(task.task.name);
  return names;
}

std::vector<Pieces> RunPage::fitting_pieces(const std::string& task,
                                            const std::vector<ItemRow>& rows) {
  std::vector<Pieces> fitting;
  for (std::size_t run = 0; run < runs_.size(); ++run) {
    const Pieces& pieces = runs_[run].pieces;
    const bool fits = pieces && pieces_fit(rows, run, pieces);
    if (pieces && !fits)
      warnings_.push_back(
          {"other-vocabulary",
           fmt::format("{}: run {}: the model file reads its tokens as another text "
                       "than the prompt; their texts are not shown",
                       task, letter_of(run)),
           1});
    if (const std::size_t other = other_sums(rows, run); other > 0)
      warnings_.push_back({"other-sums",
                           fmt::format("{}: run {}: the log-probabilities of the tokens of {} "
                                       "answers do not add up to what the run found, bit for bit; "
                                       "the machine or the build is another one",
                                       task, letter_of(run), other),
                           other});
    fitting.push_back(fits ? pieces : Pieces());
  }
  return fitting;
}

Value RunPage::scores(std::size_t run, const std::string& task,
                      const std::optional<std::vector<SampledItem>>& items) {
  const core::TaskRecord* record = task_of(runs_[run], task);
  if (record == nullptr) return {};
  auto warnings = sample_warnings(runs_[run], *record, items, letter_of(run));
  Evidence evidence{items ? &*items : nullptr, warnings.empty(), std::nullopt};
  if (const auto counted = runs_[run].documents.find(task); counted != runs_[run].documents.end())
    evidence.documents = counted->second.scored;
  std::ranges::move(warnings, std::back_inserter(sample_warnings_));
  return scores_of(*record, evidence);
}

void RunPage::add(const std::string& task, const ItemsByRun& items) {
  const std::vector<ItemRow> rows = item_rows(items);
  const ItemJudge judge = judge_of(rows);
  const std::vector<Pieces> pieces = fitting_pieces(task, rows);
  Dict dict;
  List all_scores, pairs, versions, shots;
  for (std::size_t run = 0; run < runs_.size(); ++run) {
    const core::TaskRecord* record = task_of(runs_[run], task);
    all_scores.push_back(scores(run, task, items[run]));
    versions.push_back(record != nullptr ? record->task.version : Value());
    shots.push_back(record != nullptr ? Value(record->task.num_fewshot) : Value());
    const Pairing pairing = run > 0 ? pair_up(rows, run, judge) : Pairing{};
    pairs.push_back(run > 0 ? pair_value(pairing) : Value());
    if (run > 0) add_pair_warnings(task, pairing, letter_of(run), warnings_);
  }
  dict.set("name", task);
  dict.set("versions", std::move(versions));
  dict.set("num_fewshot", std::move(shots));
  dict.set("items", rows.size());
  dict.set("filter", judge.filter);
  dict.set("metric", judge.metric);
  dict.set("verdicts", judge.verdict);
  dict.set("scores", std::move(all_scores));
  dict.set("pairs", std::move(pairs));
  dict.set("index", rows.empty() ? Value() : Value(parts_.size()));
  if (!rows.empty()) parts_.push_back(report::packed(index_of(rows, judge, runs_.size())));
  dict.set("vocabularies", pack_vocabularies(rows, pieces, parts_));
  dict.set("details", pack_details(rows, pieces, parts_));
  tasks_.emplace_back(std::move(dict));
}

report::DataPage RunPage::finish() {
  List runs;
  std::string title;
  for (std::size_t i = 0; i < runs_.size(); ++i) {
    runs.push_back(run_value(runs_[i], letter_of(i)));
    const core::RunRecord& record = runs_[i].record;
    title +=
        (i == 0 ? "" : " and ") + (record.model_name.empty() ? record.model : record.model_name);
  }
  Dict summary;
  summary.set("format", "tare-report");
  summary.set("version", kFormatVersion);
  summary.set("made_by", "tare " + version_);
  summary.set("title", title);
  summary.set("runs", std::move(runs));
  summary.set("tasks", with_adjusted(tasks_, runs_.size()));
  summary.set("groups", groups_value(runs_));
  std::vector<core::Warning> warnings = std::move(sample_warnings_);
  std::ranges::move(warnings_, std::back_inserter(warnings));
  summary.set("warnings", warnings_value(warnings));
  return {title + ": tare report", std::move(summary), std::move(parts_)};
}

}  // namespace tare::study
