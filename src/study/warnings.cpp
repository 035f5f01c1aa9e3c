#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "study/document.h"
#include "study/invariants.h"
#include "study/numbers.h"

namespace tare::study {
namespace {

using Lines = std::vector<std::string>;

std::string cell_place(const Design& design, const Cell& cell) {
  return fmt::format("{}, {}, {}, {}", design.models[cell.model].name,
                     design.backends[cell.backend].name, cell.mode,
                     design.benchmarks[cell.benchmark].name);
}

void add_cells(const Findings& findings, Lines& lines) {
  if (findings.finished < findings.planned)
    lines.push_back(fmt::format("{} of {} cells have results; the others are not in any table.",
                                findings.finished, findings.planned));
  for (std::string& line : failure_lines(findings.design, findings.failed))
    lines.push_back(std::move(line));
}

void add_data(const Findings& findings, Lines& lines) {
  for (std::size_t i = 0; i < findings.sampled.size(); ++i) {
    const auto [part, whole] = findings.sampled[i];
    if (part < whole)
      lines.push_back(fmt::format("{}: a stratified sample of {} of {} documents (seed {}).",
                                  findings.design.benchmarks[i].name, part, whole,
                                  findings.design.seed));
  }
  for (const std::string& note : findings.observations.notes) lines.push_back(note + ".");
}

struct AnswerCounts {
  std::size_t answers = 0, failed = 0, unparsable = 0;
  std::string reason;  ///< one why an answer failed
};

/// Over the repetitions of each cell.
void add_answers(const Findings& findings, Lines& lines) {
  std::map<std::string, AnswerCounts> counts;
  for (const Measured& cell : findings.observations.cells) {
    AnswerCounts& count = counts[cell_place(findings.design, cell.cell)];
    count.answers += cell.answers;
    count.failed += cell.failed;
    count.unparsable += cell.unparsable;
    if (!cell.failures.empty()) count.reason = cell.failures.begin()->first;
  }
  for (const auto& [place, count] : counts) {
    if (count.failed > 0)
      lines.push_back(fmt::format("{}: {} of {} answers have no score ({}).", place, count.failed,
                                  count.answers, count.reason));
    if (count.unparsable > 0)
      lines.push_back(fmt::format("{}: {} of {} answers could not be read.", place,
                                  count.unparsable, count.answers));
  }
}

void add_pairs(const Findings& findings, Lines& lines) {
  const Design& design = findings.design;
  std::set<std::string> told;
  for (const Comparison& one : findings.comparisons) {
    const std::string place =
        fmt::format("{}, {}, {}", design.models[one.model].name, design.backends[one.backend].name,
                    design.benchmarks[one.measure.benchmark].name);
    const std::string where = fmt::format("{}, {} {}", place, one.mode, one.measure.metric);
    if (one.missing > 0 && told.insert(where).second)
      lines.push_back(fmt::format("{}: {} {} left out.", where, one.missing,
                                  one.measure.pooled
                                      ? "values that are not defined for their answers are"
                                      : "items that one side alone has are"));
  }
}

/// What is counted above is not told again.
bool is_told(const std::string& code) {
  return code == "failed-documents" || code == "unparsable-answers";
}

/// The text with "#" for every number: runs say the same with other counts.
std::string without_numbers(const std::string& text) {
  std::string out;
  for (const char c : text) {
    const bool digit = c >= '0' && c <= '9';
    if (!digit) out += c;
    if (digit && !out.ends_with('#')) out += '#';
  }
  return out;
}

void add_runs(const Findings& findings, Lines& lines) {
  constexpr std::size_t kMost = 20;
  std::vector<std::pair<const core::Warning*, std::size_t>> kinds;  // the first one, how many more
  std::map<std::string, std::size_t> places;
  for (const core::Warning& warning : findings.run_warnings) {
    if (is_told(warning.code)) continue;
    const auto [at, fresh] = places.try_emplace(without_numbers(warning.text), kinds.size());
    if (fresh)
      kinds.emplace_back(&warning, 0);
    else
      ++kinds[at->second].second;
  }
  for (std::size_t i = 0; i < std::min(kMost, kinds.size()); ++i) {
    const auto& [warning, more] = kinds[i];
    lines.push_back(
        fmt::format("From the runs: {}{}", warning->text,
                    more == 0 ? "" : fmt::format(" (and {} more with other numbers)", more)));
  }
  if (kinds.size() > kMost)
    lines.push_back(
        fmt::format("From the runs: {} more, in the cells' results.", kinds.size() - kMost));
}

}  // namespace

Lines failure_lines(const Design& design, std::span<const FailedCell> failed) {
  Lines lines;
  std::map<std::string, std::pair<std::size_t, std::string>> reasons;
  for (const FailedCell& one : failed) {
    auto& [count, first] = reasons[one.reason];
    if (count++ == 0) first = cell_name(design, one.cell);
  }
  for (const auto& [reason, where] : reasons)
    lines.push_back(fmt::format("{} cell{} failed (first {}): {}", where.first,
                                where.first == 1 ? "" : "s", where.second, reason));
  return lines;
}

Lines warnings_of(const Findings& findings) {
  Lines lines;
  for (const Invariant& one : invariants_of(findings))
    if (!one.holds) lines.push_back(one.text);
  add_cells(findings, lines);
  add_data(findings, lines);
  add_answers(findings, lines);
  add_pairs(findings, lines);
  add_runs(findings, lines);
  for (const std::string& note : findings.notes) lines.push_back(note);
  return lines;
}

}  // namespace tare::study
