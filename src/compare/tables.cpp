#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "compare/document.h"
#include "compare/words.h"
#include "report/table.h"
#include "report/text_table.h"

namespace tare::compare {
namespace {

using Row = std::vector<std::string>;

constexpr const char* kNothing = "—";
/// So many metrics have a sentence each on a screen.
constexpr std::size_t kFewMetrics = 12;
/// So many lines about one kind of difference are told on a screen.
constexpr std::size_t kFewDifferences = 3;

std::string interval_text(const Measured& measured, const std::optional<stats::Interval>& interval,
                          std::string (*text)(const Measured&, double)) {
  if (!interval) return kNothing;
  return fmt::format("{} to {}", text(measured, interval->low), text(measured, interval->high));
}

std::string two_places(const std::optional<double>& number) {
  if (!number) return kNothing;
  const std::string text = fmt::format("{:.2f}", *number);
  return text == "-0.00" ? "0.00" : text;
}

std::string kappa_interval_text(const Measured& measured) {
  if (!measured.kappa_interval) return kNothing;
  return fmt::format("{} to {}", two_places(measured.kappa_interval->low),
                     two_places(measured.kappa_interval->high));
}

std::string detectable_text(const Measured& measured) {
  if (never_detectable(measured)) return "none";
  return measured.detectable ? amount_text(measured, *measured.detectable) : kNothing;
}

Row headers(const Comparison& comparison, const Versus& versus) {
  const std::string &a = comparison.sides[0].letter, &b = comparison.sides[versus.second].letter;
  const std::string level = percent_text(comparison.level);
  return {"Task",
          "Metric",
          "n",
          a,
          fmt::format("{} {}", a, level),
          b,
          fmt::format("{} {}", b, level),
          fmt::format("{} − {}", b, a),
          fmt::format("{} − {} {}", b, a, level),
          "p",
          "worse",
          "better",
          "κ",
          fmt::format("κ {}", level),
          "detectable"};
}

/// Columns of headers() that a narrow screen may lack, the least needed first. The sentences below
/// the table tell the intervals and p again.
std::vector<std::size_t> spare_columns() {
  return {13, 4, 6, 14, 12, 11, 10, 2, 8, 9, 3, 5};
}

Row row_of(const Measured& measured) {
  const std::string metric =
      fmt::format("{} {}", metric_text(measured), measured.higher_is_better ? "↑" : "↓");
  Row row{measured.task, metric, std::to_string(measured.items)};
  constexpr std::size_t kColumns = 15;
  if (!measured.not_compared.empty()) {
    row.resize(kColumns, kNothing);
    return row;
  }
  row.push_back(score_text(measured, measured.first.value));
  row.push_back(interval_text(measured, measured.first.interval, score_text));
  row.push_back(score_text(measured, measured.second.value));
  row.push_back(interval_text(measured, measured.second.interval, score_text));
  row.push_back(change_text(measured, measured.difference()));
  row.push_back(interval_text(measured, measured.interval, change_text));
  row.push_back(measured.adjusted ? p_text(*measured.adjusted) : kNothing);
  row.push_back(std::to_string(measured.worse.size()));
  row.push_back(std::to_string(measured.improved.size()));
  row.push_back(two_places(measured.kappa));
  row.push_back(kappa_interval_text(measured));
  row.push_back(detectable_text(measured));
  return row;
}

std::vector<Row> rows_of(const Versus& versus) {
  std::vector<Row> rows;
  for (const Measured& measured : versus.metrics) rows.push_back(row_of(measured));
  return rows;
}

std::string run_line(const Side& side) {
  const store::FinishedRun& run = side.run;
  std::string model = run.record.model;
  if (!run.record.model_name.empty() && model.find(run.record.model_name) == std::string::npos)
    model += " " + run.record.model_name;
  std::string line = fmt::format("{}: {}, {}", side.letter, run.files.results.string(), model);
  if (!run.backend.empty()) line += ", " + run.backend;
  line += fmt::format(", written by {}", run.writer);
  if (!run.files.passed_over.empty())
    line += fmt::format("; the newest of {} results there", run.files.passed_over.size() + 1);
  return line;
}

/// Documents without a value on any side, and why.
std::vector<std::string> missing_lines(const Versus& versus) {
  std::vector<std::string> lines;
  for (const Measured& measured : versus.metrics) {
    if (measured.missing == 0) continue;
    Row reasons;
    for (const auto& [reason, count] : measured.failures)
      reasons.push_back(fmt::format("{} ({})", reason, count));
    if (measured.undefined > 0)
      reasons.push_back(fmt::format("not a finite number ({})", measured.undefined));
    lines.push_back(
        fmt::format("{} {}: {} of {} documents left out, without a value in both runs: {}",
                    measured.task, metric_text(measured), measured.missing,
                    measured.missing + measured.items, fmt::join(reasons, ", ")));
  }
  return lines;
}

/// ", at p < 0.0125, Holm's first step of 4 tests".
std::string first_step(const Comparison& comparison) {
  if (comparison.tests == 0) return "";
  const double alpha = 1 - comparison.level;
  std::string text = fmt::format(", at p < {:.4g}", alpha / static_cast<double>(comparison.tests));
  if (comparison.tests > 1)
    text += fmt::format(", Holm's first step of {}", tests_text(comparison.tests));
  return text;
}

std::string legend(const Comparison& comparison) {
  return fmt::format(
      "Intervals at {0}: of scores each for itself, of differences paired. p: exact McNemar for "
      "verdicts, else sign flips, after Holm over {1}. worse, better: documents. κ: Cohen's, "
      "of verdicts. detectable: the least difference that 4 of 5 comparisons like this one would "
      "find{2}; none: not even 100 points.",
      percent_text(comparison.level), tests_text(comparison.tests), first_step(comparison));
}

std::string head_of(const Comparison& comparison, const Versus& versus) {
  return fmt::format("{} against {}: documents in both: {}", comparison.sides[versus.second].letter,
                     comparison.sides[0].letter, versus.items);
}

std::vector<std::string> rule_lines(std::span<const Judged> rules) {
  std::vector<std::string> lines;
  for (const Judged& judged : rules) {
    lines.push_back(fmt::format("fail if {}: {}", judged.rule.shown(),
                                judged.ruling.holds ? "holds" : "does not hold"));
    for (const std::string& reason : judged.ruling.reasons) lines.push_back("  " + reason);
  }
  return lines;
}

/// Those that say more than that there is no difference, where there are many.
std::vector<std::string> some_sentences(const Comparison& comparison, const Versus& versus) {
  std::vector<std::string> lines;
  const bool few = versus.metrics.size() <= kFewMetrics;
  std::size_t silent = 0;
  for (const Measured& measured : versus.metrics) {
    const bool told = !measured.not_compared.empty() || measured.significant(1 - comparison.level);
    if (few || told)
      lines.push_back(sentence_of(measured, comparison, versus));
    else
      ++silent;
  }
  if (silent > 0)
    lines.push_back(fmt::format("{} others: no difference that can be told from chance.", silent));
  return lines;
}

std::string bullets(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += "- " + report::markdown_phrase(line) + "\n";
  return text;
}

}  // namespace

std::vector<std::string> difference_lines(const std::vector<Difference>& differences) {
  std::vector<std::string> lines;
  for (const Mismatch kind : kinds_of(differences)) {
    std::size_t told = 0, all = 0;
    for (const Difference& difference : differences) {
      if (difference.mismatch != kind) continue;
      if (all++ < kFewDifferences) {
        lines.push_back(line_of(difference));
        ++told;
      }
    }
    if (all > told)
      lines.push_back(fmt::format("and {} more ({})", all - told, mismatch_name(kind)));
  }
  return lines;
}

std::string markdown(const Comparison& comparison, std::span<const Judged> rules) {
  std::string text = "# Comparison of runs\n\n";
  Row runs;
  for (const Side& side : comparison.sides) runs.push_back(run_line(side));
  text += bullets(runs);
  for (const Versus& versus : comparison.pairs) {
    text += fmt::format("\n## {}\n\n", head_of(comparison, versus));
    Row lines;
    for (const Measured& measured : versus.metrics)
      lines.push_back(sentence_of(measured, comparison, versus));
    text += bullets(lines) + "\n";
    const report::Table table{.id = "",
                              .title = "Scores",
                              .headers = headers(comparison, versus),
                              .rows = rows_of(versus),
                              .labels = 2,
                              .notes = {legend(comparison)}};
    text += report::markdown(table);
    if (const auto missing = missing_lines(versus); !missing.empty())
      text += "\n### Left out\n\n" + bullets(missing);
    if (versus.differences.empty()) continue;
    Row differences;
    for (const Difference& difference : versus.differences)
      differences.push_back(line_of(difference));
    text += "\n### Not the same in both runs\n\n" + bullets(differences);
  }
  if (!rules.empty()) text += "\n## Rules\n\n" + bullets(rule_lines(rules));
  return report::on_screen(text);
}

std::string screen(const Comparison& comparison, std::span<const Judged> rules, std::size_t width) {
  std::string text;
  const auto add = [&](const std::string& line) {
    text += report::filled(line, width, "  ") + "\n";
  };
  for (const Side& side : comparison.sides) add(run_line(side));
  for (const Versus& versus : comparison.pairs) {
    text += "\n";
    add(head_of(comparison, versus));
    for (const std::string& line : difference_lines(versus.differences)) add(line);
    for (const std::string& line : missing_lines(versus)) add(line);
    text += "\n" + report::text_table({.headers = headers(comparison, versus),
                                       .rows = rows_of(versus),
                                       .labels = 2,
                                       .spare = spare_columns()},
                                      width);
    text += "\n";
    for (const std::string& line : some_sentences(comparison, versus)) add(line);
  }
  text += "\n";
  add(legend(comparison));
  if (comparison.sides.size() > 2) add("All runs are compared with A, the first one.");
  for (const std::string& line : rule_lines(rules)) add(line);
  return report::on_screen(text);
}

}  // namespace tare::compare
