#include "cli/terminal.h"

#include <fmt/format.h>

#include "report/fitted_tables.h"
#include "report/text_table.h"

namespace tare::cli {

std::string shown_on(Stream stream, std::string_view text) {
  if (!is_terminal(stream)) return std::string(text);
  std::string shown;
  while (true) {
    const std::size_t tab = text.find('\t');
    shown += report::on_screen(text.substr(0, tab));
    if (tab == std::string_view::npos) return shown;
    shown += '\t';
    text.remove_prefix(tab + 1);
  }
}

void print_text(std::string_view text) {
  fmt::print("{}", shown_on(Stream::output, text));
}

void print_fitted(std::string_view text, SpareColumns spare) {
  const std::string shown = shown_on(Stream::output, text);
  const auto width = output_width();
  fmt::print("{}", width ? report::fit_text(shown, *width, spare) : shown);
}

}  // namespace tare::cli
