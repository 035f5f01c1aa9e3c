#include "cli/parity_text.h"

#include <fmt/format.h>

#include "base/json.h"
#include "cli/tell.h"
#include "cli/terminal.h"

namespace tare::cli {
namespace {

using base::Dict;
using base::List;
using base::Value;
using study::ParityReport;
using study::Side;

std::string finding_line(const study::Finding& finding) {
  return fmt::format("{}{}: {} prompts, the first is {}\n", fault_name(finding.fault),
                     finding.side.empty() ? "" : " in " + finding.side, finding.prompts,
                     in_one_line(finding.key));
}

std::string alone_line(std::size_t count, const Side& side) {
  return count == 0 ? "" : fmt::format("{} prompts are in {} alone\n", count, side.name);
}

Value finding_value(const study::Finding& finding) {
  Dict dict;
  dict.set("fault", std::string(fault_name(finding.fault)));
  dict.set("side", finding.side.empty() ? Value() : Value(finding.side));
  dict.set("prompts", finding.prompts);
  dict.set("first", finding.key);
  return dict;
}

Value difference_value(const study::Difference& difference) {
  Dict dict;
  dict.set("prompt", difference.key);
  dict.set("unit", difference.in_tokens ? "token" : "character");
  dict.set("position", difference.position);
  dict.set("left", difference.left);
  dict.set("right", difference.right);
  return dict;
}

bool same(const ParityReport& report) {
  return report.equal == report.compared && report.findings.empty() && report.left_only == 0 &&
         report.right_only == 0;
}

}  // namespace

std::string parity_text(const ParityReport& report, const Side& left, const Side& right) {
  std::string text = fmt::format(
      "{} and {}: {} prompts compared, {} of them by token ids; {} are equal{}\n", left.name,
      right.name, report.compared, report.by_tokens, report.equal,
      report.incomparable == 0 ? "" : fmt::format(", {} cannot be compared", report.incomparable));
  if (report.by_messages > 0)
    text += fmt::format(
        "{} are conversations on both sides: what the backends' own templates make of them is not "
        "seen\n",
        report.by_messages);
  text += alone_line(report.left_only, left) + alone_line(report.right_only, right);
  for (const study::Finding& finding : report.findings) text += finding_line(finding);
  if (!report.first) return text;
  const study::Difference& first = *report.first;
  text += fmt::format("first difference: {}, {} {}\n", in_one_line(first.key),
                      first.in_tokens ? "token" : "character", first.position);
  return text + fmt::format("  {}: {}\n  {}: {}\n", left.name, first.left, right.name, first.right);
}

Value parity_value(const ParityReport& report, const Side& left, const Side& right) {
  List findings;
  for (const study::Finding& finding : report.findings) findings.push_back(finding_value(finding));
  Dict dict;
  dict.set("left", left.name);
  dict.set("right", right.name);
  dict.set("compared", report.compared);
  dict.set("by_tokens", report.by_tokens);
  dict.set("by_messages", report.by_messages);
  dict.set("equal", report.equal);
  dict.set("incomparable", report.incomparable);
  dict.set("left_only", report.left_only);
  dict.set("right_only", report.right_only);
  dict.set("findings", std::move(findings));
  dict.set("first_difference", report.first ? difference_value(*report.first) : Value());
  return dict;
}

ExitCode print_parity(const Side& left, const Side& right, bool json) {
  const ParityReport report = study::compare_prompts(left, right);
  if (json)
    print_text(base::json::dump(parity_value(report, left, right), {.indent = 2}) + "\n");
  else
    print_fitted(parity_text(report, left, right));
  return same(report) ? kDone : kDoneWithFailures;
}

}  // namespace tare::cli
