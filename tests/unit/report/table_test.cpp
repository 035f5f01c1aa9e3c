#include "report/table.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "report/scatter.h"

namespace tare {
namespace {

report::Table sample() {
  return {"table-9", "Table 9. A & B",  {"Name", "|Δ|"}, {{"x_1", "0.5"}, {"a,\"b\"", "—"}},
          1,         {"100 % of them."}};
}

}  // namespace

TEST_CASE("a table is written in each form with its own signs spelled out") {
  CHECK(report::markdown(sample()) ==
        "### Table 9. A & B\n\n| Name | \\|Δ\\| |\n|---|---:|\n| x_1 | 0.5 |\n| a,\"b\" | — |\n\n"
        "100 % of them.\n");
  CHECK(report::csv(sample()) == "Name,|Δ|\r\nx_1,0.5\r\n\"a,\"\"b\"\"\",—\r\n");
  const std::string latex = report::latex(sample());
  CHECK(latex.find("\\caption{Table 9. A \\& B. 100 \\% of them.}") != std::string::npos);
  CHECK(latex.find("\\begin{tabular}{lr}") != std::string::npos);
  CHECK(latex.find("Name & \\textbar{}$\\Delta$\\textbar{} \\\\\n") != std::string::npos);
  CHECK(latex.find("x\\_1 & 0.5 \\\\\n") != std::string::npos);
  CHECK(latex.find("--- \\\\\n") != std::string::npos);
  const std::string html = report::html(sample());
  CHECK(html.find("<h2>Table 9. A &amp; B</h2>") != std::string::npos);
  CHECK(html.find("<td class=\"label\">a,&quot;b&quot;</td><td>—</td>") != std::string::npos);
}

TEST_CASE("a first cell that is empty is a cell") {
  CHECK(report::csv({"t", "", {"", "b"}, {{"", "1"}}, 1, {}}) == ",b\r\n,1\r\n");
}

TEST_CASE("a picture has the same scale on both axes, the quarter circle and every point's title") {
  const std::string picture = report::svg(
      {"F", "x", "y", 0.05, {{0.1, 0.3, "m", "b", "a < b"}, {0, 0, "n", "c", "origin"}}});
  // The greatest value, 0.3, is rounded up to 0.5: 0.05 is a tenth of 480.
  CHECK(picture.find("A48.00 48.00") != std::string::npos);
  CHECK(picture.find("<circle cx=\"160.00\" cy=\"232.00\"") != std::string::npos);
  CHECK(picture.find("<title>a &lt; b</title>") != std::string::npos);
  CHECK(picture.find("<rect x=\"59.50\" y=\"515.50\"") != std::string::npos);
  CHECK(picture.starts_with("<svg"));
  CHECK(picture.ends_with("</svg>\n"));
}

TEST_CASE("points in one place tell of each other") {
  report::Scatter scatter{"t", "x", "y", 0.05, {}};
  for (int i = 0; i < 7; ++i)
    scatter.points.push_back({0, 0, "m", "b", fmt::format("point {}", i)});
  scatter.points.push_back({0.5, 0.5, "m", "b", "alone"});
  const std::string picture = report::svg(scatter);
  CHECK(picture.find("<title>alone</title>") != std::string::npos);
  CHECK(picture.find("<title>7 points here\n\npoint 0\n\npoint 1\n\npoint 2\n\npoint 3\n\npoint 4"
                     "\n\n... and 2 more</title>") != std::string::npos);
  CHECK(picture.find("<title>point 0") == std::string::npos);
}

TEST_CASE("a cell with a long text may be broken into lines") {
  const std::string page =
      report::html({"t", "T", {"a", "b"}, {{"x", std::string(61, 'y')}}, 1, {}});
  CHECK(page.find("<td class=\"label\">x</td><td class=\"label long\">yyy") != std::string::npos);
}

}  // namespace tare
