#include "report/page.h"

#include <fmt/format.h>

#include "floor/distribution.h"
#include "floor/flips_html.h"
#include "floor/heat.h"
#include "floor/mechanism.h"
#include "floor/protocol.h"
#include "floor/provenance.h"
#include "floor/report.h"

namespace tare::floor {
namespace {

using report::html_escaped;
using report::Table;

/// Heat is one hue laid over the page's color, so that numbers are read on it by light and by dark.
constexpr std::string_view kStyle = R"(
:root { --hot: 213 94 0; --equal: 0 158 115; }
caption { text-align: left; font-size: .87rem; padding-bottom: .3rem; }
th { font-weight: 600; }
thead th { white-space: normal; vertical-align: bottom; }
thead th:first-child, .heat thead th:first-child { text-align: left; }
.warnings h2 { margin-top: .6rem; }
tbody th { text-align: left; }
.verdict { border: 1px solid #8886; border-left: 6px solid #8888; border-radius: .4rem;
  padding: .2rem 1rem; margin: .8rem 0; }
.verdict.distinguishable { border-left-color: rgb(var(--hot)); }
.verdict.identical, .verdict.within_noise { border-left-color: rgb(var(--equal)); }
.verdict ul { list-style: none; padding: 0; }
.verdict li { padding-left: 1.6rem; text-indent: -1.6rem; }
.sign { display: inline-block; width: 1.6rem; text-indent: 0; font-weight: 700; }
.heat td { border: 2px solid Canvas; text-align: center; min-width: 5.5rem; }
.heat thead th { text-align: center; white-space: normal; overflow-wrap: anywhere; }
/* The names of settings stay in sight when a phone is wiped sideways. */
.heat tbody th { white-space: normal; overflow-wrap: anywhere; min-width: 7rem; max-width: 15rem;
  position: sticky; left: 0; background: Canvas; }
.heat tbody tr, .heat tbody tr:nth-child(even) { background: none; }
.heat .none { opacity: .75; }
.legend { display: flex; flex-wrap: wrap; gap: 2px; font-size: .8rem; align-items: center; }
.legend > span { padding: .1rem .5rem; }
.equal { background: rgb(var(--equal) / .22); }
.h0 { background: rgb(var(--hot) / .05); }
.h1 { background: rgb(var(--hot) / .10); }
.h2 { background: rgb(var(--hot) / .16); }
.h3 { background: rgb(var(--hot) / .23); }
.h4 { background: rgb(var(--hot) / .31); }
.h5 { background: rgb(var(--hot) / .39); }
.h6 { background: rgb(var(--hot) / .47); }
.h7 { background: rgb(var(--hot) / .55); }
.h8 { background: rgb(var(--hot) / .63); }
.h9 { background: rgb(var(--hot) / .71); }
.picture { padding: .15rem .7rem; }
svg.spread { width: auto; max-width: none; display: block; font-size: 11px; fill: currentColor; }
.spread text { font-weight: 400; font-size: 10px; }
.bars { fill: var(--accent); }
.zero { fill: rgb(var(--equal)); }
.median, .p99, .tick { stroke: currentColor; fill: none; }
.median { stroke-width: 2; }
.p99 { stroke-dasharray: 4 3; }
.setting { border-top: 1px solid #8886; }
.flip { margin: .3rem 0 .3rem 1rem; }
.change { border-radius: .3rem; padding: 0 .4rem; border: 1px solid #8888; white-space: nowrap; }
.change.lost { background: rgb(var(--hot) / .25); }
.change.won { background: rgb(var(--equal) / .25); }
ol.protocol li { margin: .5rem 0; }
@media (max-width: 40rem) { body { margin: .8rem auto; } .flip { margin-left: .2rem; } th, td { padding: .2rem .4rem; }
  .heat tbody th { max-width: 8.5rem; } }
)";

struct Sign {
  std::string_view sign, words;
};

Sign sign_of(const Condition& condition) {
  if (!condition.holds) return {"?", "not known"};
  return *condition.holds ? Sign{"✓", "holds"} : Sign{"✗", "does not hold"};
}

std::string verdict_html(const PairFindings& pair, const Findings& findings) {
  std::string text = fmt::format(
      "<div class=\"verdict {}\">\n<h3>{} against {}</h3>\n<p>{}</p>\n<ul>\n",
      judgement_name(pair.verdict.judgement), html_escaped(findings.files[pair.file].name),
      html_escaped(findings.files.front().name), html_escaped(pair.verdict.sentence));
  for (const Condition& condition : pair.verdict.conditions) {
    const Sign sign = sign_of(condition);
    text += fmt::format("<li><span class=\"sign\" aria-hidden=\"true\">{}</span>{} ({})</li>\n",
                        sign.sign, html_escaped(condition.text), sign.words);
  }
  return text + "</ul>\n</div>\n";
}

std::string list_html(const std::vector<std::string>& lines) {
  std::string text = "<ul>\n";
  for (const std::string& line : lines) text += fmt::format("<li>{}</li>\n", html_escaped(line));
  return text + "</ul>\n";
}

std::string top_html(const Findings& findings) {
  std::string text = fmt::format(
      "<h1>{}</h1>\n<p>{} positions, in windows of {}. Divergences are "
      "KL(reference‖setting) in nats, from float32 logits, summed in double.</p>\n",
      html_escaped(title_of(findings)), findings.positions, findings.window);
  if (const auto warnings = warnings_of(findings); !warnings.empty())
    text +=
        "<section class=\"warnings\">\n<h2>Warnings</h2>\n" + list_html(warnings) + "</section>\n";
  text += "<section id=\"verdict\">\n<h2>Verdict</h2>\n";
  for (const PairFindings& pair : findings.pairs) text += verdict_html(pair, findings);
  return text + list_html(floor_sentences(findings)) + "</section>\n";
}

std::string contents_html(const Findings& findings) {
  std::string text = "<nav aria-label=\"Contents\"><ul>\n";
  const auto add = [&](std::string_view id, std::string_view name) {
    text += fmt::format("<li><a href=\"#{}\">{}</a></li>\n", id, name);
  };
  add("heat", "Settings and files");
  if (!findings.pairs.empty()) add("mechanism", "Mechanism");
  add("distributions", "KL of positions");
  if (findings.answers) add("answers-1", "Answers");
  if (findings.answers) add("flips", "Items");
  add("protocol", "Protocol");
  add("numbers", "All numbers");
  add("program", "Versions");
  return text + "</ul></nav>\n";
}

std::string protocol_html(const Findings& findings) {
  std::string text = "<section id=\"protocol\">\n<h2>Protocol</h2>\n<ol class=\"protocol\">\n";
  for (const ProtocolStep& step : protocol_of(findings)) {
    text += "<li>" + html_escaped(step.text);
    if (!step.command.empty())
      text += fmt::format("<br><code>{}</code>", html_escaped(step.command));
    text += "</li>\n";
  }
  return text + "</ol>\n</section>\n";
}

std::string answers_html(const Answers& answers) {
  std::string text;
  for (std::size_t i = 0; i < answers.files.size(); ++i)
    text += report::html(answers_table(answers.files[i], fmt::format("answers-{}", i + 1))) +
            report::html(task_answers_table(answers.files[i], fmt::format("tasks-{}", i + 1)));
  if (!answers.pairs.empty()) text += report::html(pair_answers_table(answers, "tasks-pairs"));
  return text + flips_html(answers);
}

std::string numbers_html(const Findings& findings) {
  std::string text =
      "<section id=\"numbers\">\n<h2>All numbers</h2>\n<details><summary>Tables of the grid, what "
      "the pictures show among them</summary>\n";
  for (std::size_t i = 0; i < findings.files.size(); ++i)
    text += report::html(settings_table(findings.files[i], fmt::format("file-{}", i + 1)));
  if (!findings.pairs.empty()) text += report::html(pairs_table(findings, "pairs"));
  return text + report::html(distribution_table(findings, "distribution")) +
         "</details>\n</section>\n";
}

}  // namespace

std::string html(const Findings& findings) {
  std::string body = "<main>\n" + top_html(findings) + contents_html(findings);
  body += html(heat_of(findings));
  if (!findings.pairs.empty()) body += report::html(mechanism_table(findings, "mechanism"));
  body += distributions_html(findings);
  if (findings.answers) body += answers_html(*findings.answers);
  body += protocol_html(findings) + numbers_html(findings);
  for (const Table& table : provenance_tables(findings)) body += report::html(table);
  return report::html_page(title_of(findings), body + "</main>\n", kStyle);
}

}  // namespace tare::floor
