#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace tare::report {

/// A table whose cells are the texts that are shown, in any of the forms below.
struct Table {
  std::string id;  ///< "table-1": name of its files, anchor in a page
  std::string title;
  std::vector<std::string> headers;
  std::vector<std::vector<std::string>> rows;  ///< each as long as `headers`
  std::size_t labels = 1;                      ///< columns at the left that name the row
  std::vector<std::string> notes;              ///< sentences below it
};

/// A heading of level 3, the table, its notes.
std::string markdown(const Table& table);
/// Headers and rows alone, as RFC 4180 has it.
std::string csv(const Table& table);
/// A table environment with booktabs rules; needs \usepackage{booktabs}.
std::string latex(const Table& table);
/// A section with the table in it.
std::string html(const Table& table);

/// Text with the five characters that HTML gives a meaning to spelled out.
std::string html_escaped(std::string_view text);
/// Foreign text as a part of a Markdown sentence: in one line, and no markup of it acts.
std::string markdown_phrase(std::string_view text);
/// Text with the characters that LaTeX gives a meaning to spelled out.
std::string latex_escaped(std::string_view text);

}  // namespace tare::report
