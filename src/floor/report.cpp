#include "floor/report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "floor/distribution.h"
#include "floor/flips_html.h"
#include "floor/heat.h"
#include "floor/mechanism.h"
#include "floor/protocol.h"
#include "floor/provenance.h"
#include "floor/words.h"

namespace tare::floor {
namespace {

using report::Table;
using Row = std::vector<std::string>;

const std::vector<std::string>& number_headers() {
  static const std::vector<std::string> headers{"Equal rows", "KL mean",       "KL median",
                                                "KL p99",     "KL max",        "|Δ log p| mean",
                                                "|Δ| max",    "Same top token"};
  return headers;
}

void add_numbers(const std::optional<Divergences>& numbers, Row& row) {
  if (!numbers) {
    row.insert(row.end(), number_headers().size(), kNothing);
    return;
  }
  row.insert(row.end(), {percent(numbers->equal), nats(numbers->mean), nats(numbers->median),
                         nats(numbers->p99), nats(numbers->most), nats(numbers->mean_change),
                         nats(numbers->most_change), percent(numbers->same_top)});
}

std::string state_text(const SettingFindings& row) {
  if (row.state == RowState::done) return row.setting.manner.tier;
  return fmt::format("{}: {}", row.state == RowState::failed ? "failed" : "n/a", row.reason);
}

Row setting_row(const SettingFindings& row, const FileFindings& file) {
  const bool is_reference = &row == &file.reference;
  Row cells{row.setting.name, is_reference ? "what all others are compared with"
                                           : difference_text(row.setting, file.reference.setting)};
  add_numbers(row.divergences, cells);
  cells.push_back(state_text(row));
  return cells;
}

std::string floor_sentence(const FileFindings& file, const std::vector<std::string>& pinned) {
  const auto floor = floor_of(file, pinned);
  if (!floor) return fmt::format("{}: no floor, since no setting was compared.", file.name);
  return fmt::format("The floor is a mean KL of {} nats: {}.", nats(floor->divergence),
                     floor->setting);
}

std::string ratio_text(const FileFindings& file, const PairFindings& pair,
                       const std::vector<std::string>& pinned) {
  const auto floor = floor_of(file, pinned);
  const auto ratio = floor ? ratio_to_pair(*floor, pair) : std::nullopt;
  return ratio ? fmt::format("{:.2f}", *ratio) : kNothing;
}

Row pair_row(const PairFindings& pair, const Findings& findings) {
  const FileFindings &first = findings.files.front(), &other = findings.files[pair.file];
  Row row{other.name, first.name};
  add_numbers(pair.divergences, row);
  row.insert(row.end(),
             {ratio_text(first, pair, findings.pinned), ratio_text(other, pair, findings.pinned),
              pair.divergences ? std::string(judgement_name(pair.verdict.judgement))
                               : "failed: " + pair.reason});
  return row;
}

void add_answers(const Answers& answers, std::vector<Table>& tables) {
  for (std::size_t i = 0; i < answers.files.size(); ++i)
    tables.push_back(answers_table(answers.files[i], fmt::format("answers-{}", i + 1)));
  for (std::size_t i = 0; i < answers.files.size(); ++i)
    tables.push_back(task_answers_table(answers.files[i], fmt::format("tasks-{}", i + 1)));
  if (!answers.pairs.empty()) tables.push_back(pair_answers_table(answers, "tasks-pairs"));
}

std::string condition_mark(const Condition& condition) {
  if (!condition.holds) return "not known";
  return *condition.holds ? "holds" : "does not hold";
}

std::string verdict_text(const PairFindings& pair, const Findings& findings) {
  std::string text = fmt::format("\n**{} against {}: {}**\n\n", findings.files[pair.file].name,
                                 findings.files.front().name, pair.verdict.sentence);
  for (const Condition& condition : pair.verdict.conditions)
    text += fmt::format("- {} ({})\n", condition.text, condition_mark(condition));
  return text;
}

std::string protocol_text(const Findings& findings) {
  std::string text = "\n## Protocol\n\n";
  std::size_t number = 0;
  for (const ProtocolStep& step : protocol_of(findings)) {
    text += fmt::format("{}. {}\n", ++number, step.text);
    if (!step.command.empty()) text += fmt::format("   `{}`\n", step.command);
  }
  return text;
}

/// Answers, and the items behind them.
std::string answers_text(const Answers& answers) {
  std::vector<Table> tables;
  add_answers(answers, tables);
  std::string text = "\n## Answers\n";
  for (const Table& table : tables) text += "\n" + report::markdown(table);
  const Table flips = flips_table(answers, "flips");
  return flips.rows.empty() ? text : text + "\n" + report::markdown(flips);
}

}  // namespace

Table settings_table(const FileFindings& file, const std::string& id) {
  Table table{.id = id,
              .title = file.name,
              .headers = {"Setting", "Change"},
              .rows = {},
              .labels = 2,
              .notes = {}};
  table.headers.insert(table.headers.end(), number_headers().begin(), number_headers().end());
  table.headers.emplace_back("Tier, or why there is no number");
  table.rows.push_back(setting_row(file.reference, file));
  for (const SettingFindings& row : file.settings) table.rows.push_back(setting_row(row, file));
  table.notes.emplace_back(
      "KL(reference‖setting) in nats, from float32 logits, summed in double; quantiles over "
      "positions.");
  if (file.loss)
    table.notes.push_back(fmt::format("The reference's loss is {:.4f} nats a token.", *file.loss));
  return table;
}

Table pairs_table(const Findings& findings, const std::string& id) {
  Table table{.id = id,
              .title = "Files against the first one",
              .headers = {"File", "Against"},
              .rows = {},
              .labels = 2,
              .notes = {"KL(A‖B), the other file against the first one, both at the reference; and "
                        "how large the floor of each is beside it."}};
  table.headers.insert(table.headers.end(), number_headers().begin(), number_headers().end());
  table.headers.insert(table.headers.end(), {"Floor A / KL", "Floor B / KL", "Verdict"});
  for (const PairFindings& pair : findings.pairs) table.rows.push_back(pair_row(pair, findings));
  return table;
}

std::vector<Table> tables_of(const Findings& findings) {
  std::vector<Table> tables{table_of(heat_of(findings), "grid")};
  for (std::size_t i = 0; i < findings.files.size(); ++i)
    tables.push_back(settings_table(findings.files[i], fmt::format("file-{}", i + 1)));
  if (!findings.pairs.empty()) tables.push_back(pairs_table(findings, "pairs"));
  if (!findings.pairs.empty()) tables.push_back(mechanism_table(findings, "mechanism"));
  tables.push_back(distribution_table(findings, "distribution"));
  if (findings.answers) add_answers(*findings.answers, tables);
  return tables;
}

std::string title_of(const Findings& findings) {
  std::vector<std::string> names;
  for (const FileFindings& file : findings.files) names.push_back(file.name);
  return fmt::format("Noise floor of {}", fmt::join(names, ", "));
}

std::vector<std::string> floor_sentences(const Findings& findings) {
  std::vector<std::string> sentences;
  for (const FileFindings& file : findings.files)
    sentences.push_back(floor_sentence(file, findings.pinned));
  if (!findings.pinned.empty())
    sentences.push_back(
        fmt::format("Pinned, and so not part of the floor: {}.", fmt::join(findings.pinned, ", ")));
  return sentences;
}

std::string summary(const Findings& findings) {
  std::string text = fmt::format("# {}\n\n{} positions, in windows of {}.\n", title_of(findings),
                                 findings.positions, findings.window);
  for (const std::string& warning : warnings_of(findings))
    text += fmt::format("\n> Warning: {}\n", warning);
  for (const PairFindings& pair : findings.pairs) text += verdict_text(pair, findings);
  text += "\n";
  for (const std::string& sentence : floor_sentences(findings))
    text += fmt::format("- {}\n", sentence);
  return text + "\n" + report::markdown(table_of(heat_of(findings), "grid"));
}

std::string markdown(const Findings& findings) {
  std::string text = summary(findings);
  if (!findings.pairs.empty())
    text += "\n" + report::markdown(mechanism_table(findings, "mechanism"));
  text += "\n## Numbers\n";
  for (std::size_t i = 0; i < findings.files.size(); ++i)
    text += "\n" + report::markdown(settings_table(findings.files[i], ""));
  if (!findings.pairs.empty()) text += "\n" + report::markdown(pairs_table(findings, "pairs"));
  text += "\n" + report::markdown(distribution_table(findings, "distribution"));
  if (findings.answers) text += answers_text(*findings.answers);
  text += protocol_text(findings) + "\n## Settings and versions\n";
  for (const Table& table : provenance_tables(findings)) text += "\n" + report::markdown(table);
  return text;
}

}  // namespace tare::floor
