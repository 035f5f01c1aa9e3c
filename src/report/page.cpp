#include "report/page.h"

#include <fmt/format.h>

#include "report/table.h"

namespace tare::report {
namespace {

constexpr std::string_view kStyle = R"(
:root { color-scheme: light dark; }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 72rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.6rem; }
h2 { font-size: 1.15rem; margin-top: 2.2rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
thead th { border-bottom: 2px solid #888; }
th, td { padding: .2rem .7rem; text-align: right; white-space: nowrap; }
tbody tr:nth-child(even) { background: #8881; }
.label { text-align: left; }
td { vertical-align: top; }
.long { white-space: normal; overflow-wrap: anywhere; min-width: 22rem; }
#methods p { overflow-wrap: anywhere; }
.note { font-size: .87rem; opacity: .85; margin: .3rem 0; max-width: 60rem; }
.warnings { border-left: 4px solid #d55e00; padding: .3rem 1rem; background: #d55e0018; }
svg { max-width: 46rem; width: 100%; height: auto; }
)";

}  // namespace

std::string html_page(std::string_view title, std::string_view body, std::string_view style) {
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta "
      "name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta "
      "http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
      "'unsafe-inline'\">\n<title>{}</title>\n<style>{}{}</style>\n</head>\n<body>\n{}</body>\n</"
      "html>\n",
      html_escaped(title), kStyle, style, body);
}

}  // namespace tare::report
