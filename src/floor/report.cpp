#include "floor/report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace tare::floor {
namespace {

using report::Table;
using Row = std::vector<std::string>;

constexpr const char* kNothing = "—";

std::string nats(double value) {
  return value == 0 ? "0" : fmt::format("{:.2e}", value);
}

std::string percent(double share) {
  return share == 1 ? "100 %" : fmt::format("{:.1f} %", 100 * share);
}

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
  return fmt::format("{}: the floor is a mean KL of {} nats ({}).", file.name,
                     nats(floor->divergence), floor->setting);
}

Row floor_row(const FileFindings& file, const Findings& findings) {
  const auto floor = floor_of(file, findings.pinned);
  const auto ratio = floor ? ratio_to_pair(*floor, *findings.pair) : std::nullopt;
  return {file.name, floor ? nats(floor->divergence) : kNothing, floor ? floor->setting : kNothing,
          ratio ? fmt::format("{:.2f}", *ratio) : kNothing};
}

void add_answers(const Answers& answers, std::vector<Table>& tables) {
  for (std::size_t i = 0; i < answers.files.size(); ++i)
    tables.push_back(answers_table(answers.files[i], fmt::format("answers-{}", i + 1)));
  if (answers.pair) tables.push_back(pair_answers_table(*answers.pair, "answers-pair"));
}

std::string heading(const Findings& findings) {
  std::vector<std::string> names;
  for (const FileFindings& file : findings.files) names.push_back(file.name);
  return fmt::format("# Noise floor of {}\n\n{} positions, in windows of {}.\n",
                     fmt::join(names, " and "), findings.positions, findings.window);
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

Table pair_table(const Findings& findings, const std::string& id) {
  Table table{.id = id,
              .title = "The second file against the first",
              .headers = {"File", "Floor, mean KL", "Setting", "Floor / KL(A‖B)"},
              .rows = {},
              .labels = 1,
              .notes = {}};
  for (const FileFindings& file : findings.files) table.rows.push_back(floor_row(file, findings));
  if (const auto& numbers = findings.pair->divergences)
    table.notes.push_back(fmt::format(
        "KL(A‖B) at the reference: mean {} nats, median {}, p99 {}, max {}; {} of the rows are "
        "equal, {} have the same top token.",
        nats(numbers->mean), nats(numbers->median), nats(numbers->p99), nats(numbers->most),
        percent(numbers->equal), percent(numbers->same_top)));
  for (const Condition& condition : findings.pair->verdict.conditions)
    table.notes.push_back(fmt::format(
        "{} ({})", condition.text,
        condition.holds ? (*condition.holds ? "holds" : "does not hold") : "not known"));
  return table;
}

std::vector<Table> tables_of(const Findings& findings) {
  std::vector<Table> tables;
  for (const FileFindings& file : findings.files)
    tables.push_back(settings_table(file, fmt::format("file-{}", tables.size() + 1)));
  if (findings.pair) tables.push_back(pair_table(findings, "pair"));
  if (findings.answers) add_answers(*findings.answers, tables);
  return tables;
}

std::vector<std::string> sentences_of(const Findings& findings) {
  std::vector<std::string> sentences;
  for (const FileFindings& file : findings.files)
    sentences.push_back(floor_sentence(file, findings.pinned));
  if (!findings.pinned.empty())
    sentences.push_back(
        fmt::format("Pinned, and so not part of the floor: {}.", fmt::join(findings.pinned, ", ")));
  if (findings.pair) sentences.push_back(findings.pair->verdict.sentence);
  return sentences;
}

std::string markdown(const Findings& findings) {
  std::string text = heading(findings);
  for (const std::string& warning : warnings_of(findings))
    text += fmt::format("\n> Warning: {}\n", warning);
  text += "\n";
  for (const std::string& sentence : sentences_of(findings))
    text += fmt::format("- {}\n", sentence);
  for (const Table& table : tables_of(findings)) text += "\n" + report::markdown(table);
  return text;
}

}  // namespace tare::floor
