#include "report/table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <utility>

namespace tare::report {
namespace {

using Row = std::vector<std::string>;
using Escapes = std::pair<char, std::string_view>;

constexpr std::array kHtmlEscapes{Escapes{'&', "&amp;"}, Escapes{'<', "&lt;"}, Escapes{'>', "&gt;"},
                                  Escapes{'"', "&quot;"}, Escapes{'\'', "&#39;"}};
constexpr std::array kLatexEscapes{Escapes{'&', "\\&"},
                                   Escapes{'%', "\\%"},
                                   Escapes{'$', "\\$"},
                                   Escapes{'#', "\\#"},
                                   Escapes{'_', "\\_"},
                                   Escapes{'{', "\\{"},
                                   Escapes{'}', "\\}"},
                                   Escapes{'~', "\\textasciitilde{}"},
                                   Escapes{'^', "\\^{}"},
                                   Escapes{'\\', "\\textbackslash{}"},
                                   Escapes{'|', "\\textbar{}"},
                                   Escapes{'<', "\\textless{}"},
                                   Escapes{'>', "\\textgreater{}"}};
constexpr std::array kMarkdownEscapes{Escapes{'|', "\\|"}, Escapes{'\n', " "}, Escapes{'*', "\\*"},
                                      Escapes{'<', "&lt;"}};

constexpr std::array kPhraseEscapes{Escapes{'\\', "\\\\"}, Escapes{'\n', " "},  Escapes{'*', "\\*"},
                                    Escapes{'|', "\\|"},   Escapes{'[', "\\["}, Escapes{'`', "\\`"},
                                    Escapes{'<', "&lt;"}};

template <std::size_t N>
std::string escaped(std::string_view text, const std::array<Escapes, N>& escapes) {
  std::string out;
  for (const char c : text) {
    const auto* found = std::ranges::find(escapes, c, &Escapes::first);
    if (found == escapes.end())
      out += c;
    else
      out += found->second;
  }
  return out;
}

std::string markdown_row(const Row& row) {
  std::string line = "|";
  for (const std::string& cell : row) line += " " + escaped(cell, kMarkdownEscapes) + " |";
  return line + "\n";
}

std::string csv_row(const Row& row) {
  std::string line;
  for (const std::string& cell : row) {
    if (!line.empty() || &cell != row.data()) line += ',';
    if (cell.find_first_of(",\"\r\n") == std::string::npos) {
      line += cell;
      continue;
    }
    line += '"';
    for (const char c : cell) line += c == '"' ? std::string("\"\"") : std::string(1, c);
    line += '"';
  }
  return line + "\r\n";
}

std::string latex_row(const Row& row) {
  Row cells;
  for (const std::string& cell : row) cells.push_back(latex_escaped(cell));
  return fmt::format("{} \\\\\n", fmt::join(cells, " & "));
}

/// Of a cell with so much text that a line cannot hold it.
constexpr std::size_t kLongText = 60;

std::string_view css_class(const std::string& cell, bool label) {
  if (cell.size() > kLongText) return " class=\"label long\"";
  return label ? " class=\"label\"" : "";
}

std::string html_row(const Row& row, std::string_view tag, std::size_t labels) {
  std::string line = "<tr>";
  for (std::size_t i = 0; i < row.size(); ++i)
    line +=
        fmt::format("<{0}{1}>{2}</{0}>", tag, css_class(row[i], i < labels), html_escaped(row[i]));
  return line + "</tr>\n";
}

}  // namespace

std::string html_escaped(std::string_view text) {
  return escaped(text, kHtmlEscapes);
}

std::string markdown_phrase(std::string_view text) {
  return escaped(text, kPhraseEscapes);
}

std::string latex_escaped(std::string_view text) {
  // Letters outside ASCII that a table of ours may hold.
  static const std::array<std::pair<std::string_view, std::string_view>, 9> kSigns{
      {{"Δ", "$\\Delta$"},
       {"κ", "$\\kappa$"},
       {"≥", "$\\geq$"},
       {"—", "---"},
       {"×", "$\\times$"},
       {"√", "$\\surd$"},
       {"²", "$^2$"},
       {"−", "$-$"},
       {"·", "$\\cdot$"}}};
  std::string out = escaped(text, kLatexEscapes);
  for (const auto& [sign, command] : kSigns)
    for (std::size_t at = out.find(sign); at != std::string::npos; at = out.find(sign, at))
      out.replace(at, sign.size(), command);
  return out;
}

std::string markdown(const Table& table) {
  std::string text = fmt::format("### {}\n\n", table.title);
  text += markdown_row(table.headers) + "|";
  for (std::size_t i = 0; i < table.headers.size(); ++i)
    text += i < table.labels ? "---|" : "---:|";
  text += "\n";
  for (const Row& row : table.rows) text += markdown_row(row);
  for (const std::string& note : table.notes) text += "\n" + note + "\n";
  return text;
}

std::string csv(const Table& table) {
  std::string text = csv_row(table.headers);
  for (const Row& row : table.rows) text += csv_row(row);
  return text;
}

std::string latex(const Table& table) {
  std::string columns(table.headers.size(), 'r');
  std::fill_n(columns.begin(), std::min(table.labels, columns.size()), 'l');
  std::string text = fmt::format(
      "\\begin{{table}}\n\\centering\n\\caption{{{}.{}}}\n\\label{{tab:{}}}\n"
      "\\begin{{tabular}}{{{}}}\n\\toprule\n",
      latex_escaped(table.title),
      latex_escaped(
          fmt::format("{}{}", table.notes.empty() ? "" : " ", fmt::join(table.notes, " "))),
      table.id, columns);
  text += latex_row(table.headers) + "\\midrule\n";
  for (const Row& row : table.rows) text += latex_row(row);
  return text + "\\bottomrule\n\\end{tabular}\n\\end{table}\n";
}

std::string html(const Table& table) {
  std::string text = fmt::format(
      "<section id=\"{0}\">\n<h2>{1}</h2>\n<div class=\"wide\" "
      "tabindex=\"0\" role=\"region\" aria-label=\"{1}\"><table>\n<thead>\n{2}",
      html_escaped(table.id), html_escaped(table.title),
      html_row(table.headers, "th", table.labels));
  text += "</thead>\n<tbody>\n";
  for (const Row& row : table.rows) text += html_row(row, "td", table.labels);
  text += "</tbody>\n</table></div>\n";
  for (const std::string& note : table.notes)
    text += fmt::format("<p class=\"note\">{}</p>\n", html_escaped(note));
  return text + "</section>\n";
}

}  // namespace tare::report
