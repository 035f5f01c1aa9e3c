#include "study/document.h"

#include <fmt/format.h>

#include "report/page.h"
#include "study/tables.h"

namespace tare::study {
namespace {

constexpr const char* kRecommendation =
    "Source 000 recommends to report the backend, its exact version, and the complete generation "
    "configuration; the paragraph below does. Numbers here are of this study and of no other. In "
    "notes, \"source\" means stated in \"What We Observe as LLM Behavior Can Be a Side-effect of "
    "Inference Backend\", \"derived\" that it follows from it, \"ours\" that the source is silent.";

}  // namespace

Document document_of(const Findings& findings) {
  return {"Backend study: " + findings.design.name, warnings_of(findings), methods_of(findings),
          tables_of(findings), figure_of(findings)};
}

std::string markdown(const Document& document, const std::string& figure) {
  std::string text = fmt::format("# {}\n\n", document.title);
  if (!document.warnings.empty()) text += "## Warnings\n\n";
  for (const std::string& warning : document.warnings) text += "- " + warning + "\n";
  text += fmt::format("\n{}\n\n## Methods\n\n{}\n\n## Figure and tables\n\n![{}]({})\n\n",
                      kRecommendation, document.methods, document.figure.title, figure);
  for (const report::Table& table : document.tables) text += report::markdown(table) + "\n";
  return text;
}

std::string html(const Document& document) {
  std::string body = fmt::format("<h1>{}</h1>\n", report::html_escaped(document.title));
  if (!document.warnings.empty()) {
    body += "<section class=\"warnings\">\n<h2>Warnings</h2>\n<ul>\n";
    for (const std::string& warning : document.warnings)
      body += fmt::format("<li>{}</li>\n", report::html_escaped(warning));
    body += "</ul>\n</section>\n";
  }
  body +=
      fmt::format("<p>{}</p>\n<section id=\"methods\">\n<h2>Methods</h2>\n<p>{}</p>\n</section>\n",
                  report::html_escaped(kRecommendation), report::html_escaped(document.methods));
  body += fmt::format(
      "<section id=\"figure-1\">\n<h2>{}</h2>\n{}<p class=\"note\">Points in the shaded quarter "
      "circle are not severe; on the dashed line y = x every change has the same direction, above "
      "it changes cancel. A pointer on a point shows the items behind it.</p>\n</section>\n",
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
