#include "report/page.h"

#include <fmt/format.h>

#include "report/table.h"

namespace tare::report {
namespace {

constexpr std::string_view kStyle = R"(
:root { color-scheme: light dark; --accent: #0072b2; }
@media (prefers-color-scheme: dark) { :root { --accent: #56b4e9; } }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 72rem; margin: 2rem auto; padding: 0 1rem; }
h1, h2, h3, p, li, summary, dd { overflow-wrap: anywhere; }
h1 { font-size: 1.6rem; }
h2 { font-size: 1.15rem; margin-top: 2.2rem; }
h3 { font-size: 1rem; margin: 1.4rem 0 .3rem; }
nav ul { display: flex; flex-wrap: wrap; gap: .3rem 1.2rem; list-style: none; padding: 0; }
small { font-weight: 400; font-size: .8rem; }
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
.wide:focus-visible, summary:focus-visible, a:focus-visible { outline: 3px solid var(--accent); }
details { margin: .4rem 0; }
summary { cursor: pointer; padding: .2rem 0; }
dt { font-weight: 600; margin-top: .5rem; }
dd { margin: 0 0 0 1rem; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; background: #8881; padding: .4rem .6rem;
  border-radius: .3rem; margin: .2rem 0; unicode-bidi: plaintext; }
code { overflow-wrap: anywhere; background: #8882; padding: .1rem .3rem; border-radius: .2rem; }
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
