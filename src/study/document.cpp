#include "study/document.h"

#include <fmt/format.h>

#include "report/page.h"
#include "study/invariants.h"
#include "study/tables.h"

namespace tare::study {
namespace {

constexpr const char* kRecommendation =
    "Source 000 recommends to report the backend, its exact version, and the complete generation "
    "configuration; the paragraph below does. Numbers here are of this study and of no other. In "
    "notes, \"source\" means stated in \"What We Observe as LLM Behavior Can Be a Side-effect of "
    "Inference Backend\", \"derived\" that it follows from it, \"ours\" that the source is silent.";

std::vector<std::string> checks_of(const Findings& findings) {
  std::vector<std::string> lines;
  for (const Invariant& one : invariants_of(findings)) lines.push_back(one.text);
  return lines;
}

std::string html_list(const std::vector<std::string>& lines) {
  std::string text = "<ul>\n";
  for (const std::string& line : lines)
    text += fmt::format("<li>{}</li>\n", report::html_escaped(line));
  return text + "</ul>\n";
}

}  // namespace

Document document_of(const Findings& findings) {
  return {"Backend study: " + findings.design.name,
          warnings_of(findings),
          methods_of(findings),
          checks_of(findings),
          tables_of(findings),
          figure_of(findings)};
}

std::string markdown(const Document& document, const std::string& figure) {
  std::string text = fmt::format("# {}\n\n", document.title);
  if (!document.warnings.empty()) text += "## Warnings\n\n";
  for (const std::string& warning : document.warnings) text += "- " + warning + "\n";
  text += fmt::format("\n{}\n\n## Methods\n\n{}\n\n", kRecommendation, document.methods);
  if (!document.checks.empty()) text += "## Checks\n\n";
  for (const std::string& check : document.checks) text += "- " + check + "\n";
  text += fmt::format("\n## Figure and tables\n\n![{}]({})\n\n", document.figure.title, figure);
  for (const report::Table& table : document.tables) text += report::markdown(table) + "\n";
  return text;
}

std::string html(const Document& document) {
  std::string body = fmt::format("<h1>{}</h1>\n", report::html_escaped(document.title));
  if (!document.warnings.empty()) {
    body += "<section class=\"warnings\">\n<h2>Warnings</h2>\n" + html_list(document.warnings) +
            "</section>\n";
  }
  body +=
      fmt::format("<p>{}</p>\n<section id=\"methods\">\n<h2>Methods</h2>\n<p>{}</p>\n</section>\n",
                  report::html_escaped(kRecommendation), report::html_escaped(document.methods));
  if (!document.checks.empty())
    body +=
        "<section id=\"checks\">\n<h2>Checks</h2>\n" + html_list(document.checks) + "</section>\n";
  body += fmt::format(
      "<section id=\"figure-1\">\n<h2>{}</h2>\n{}<p class=\"note\">Points in the shaded quarter "
      "circle are not severe; on the dashed line y = x every change has the same direction, above "
      "it changes cancel. Below it are points of repeated answers alone, whose mean moved without "
      "the majority. A pointer on a point shows what is there and the items behind "
      "it.</p>\n</section>\n",
      report::html_escaped(document.figure.title), report::svg(document.figure));
  for (const report::Table& table : document.tables) body += report::html(table);
  return report::html_page(document.title, body);
}

std::string latex(const Document& document) {
  std::string text = "% needs \\usepackage{booktabs}\n";
  for (const report::Table& table : document.tables)
    if (table.id != "comparisons") text += report::latex(table) + "\n";
  return text;
}

}  // namespace tare::study
