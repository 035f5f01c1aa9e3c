#include "study/tables.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "study/document.h"
#include "study/item_table.h"
#include "unit/study/studies.h"

namespace tare {
namespace {

using report::Table;
using Row = std::vector<std::string>;

/// Model "one" through three backends: `same` answers as the baseline does, `other` gets 30 of 40
/// wrong that the baseline gets right. Model "two" has no results.
study::Findings small_findings() {
  study::Findings findings;
  findings.design = test::small_design();
  study::Benchmark bias;
  bias.name = "bias";
  bias.family = "social bias";
  findings.design.benchmarks.push_back(bias);
  findings.observations = test::empty_observations(findings.design, 40);
  for (std::size_t backend = 0; backend < 3; ++backend) {
    std::vector<double> values(40, 1);
    if (backend == 2) std::fill_n(values.begin(), 30, 0.0);
    test::add_cell(findings.observations, {0, backend, "deterministic", 0, 0}).items["acc"] =
        values;
    test::add_cell(findings.observations, {0, backend, "deterministic", 0, 1}).pooled["ss"] =
        backend == 2 ? 0.7 : 0.5;
  }
  findings.comparisons = study::compare(findings.design, findings.observations);
  findings.sampled = {{40, 100}, {0, 0}};
  findings.run_warnings = {{"partial-data", "task quiz: the data is a part", 1},
                           {"failed-documents", "told elsewhere", 1}};
  findings.finished = 6;
  findings.planned = 12;
  findings.failed = {{{1, 0, "deterministic", 0, 0}, "no such file"},
                     {{1, 1, "deterministic", 0, 0}, "no such file"}};
  return findings;
}

}  // namespace

TEST_CASE("the tables hold what was planted") {
  const study::Findings findings = small_findings();
  // (0.75 + 0.4) / 2: the ratio counts in the mean, but has no test.
  CHECK(study::table_divergence(findings).rows ==
        std::vector<Row>{{"one", "0.000 (0/1)", "0.575 (1/1)"}, {"two", "—", "—"}});
  CHECK(study::table_significant(findings).rows ==
        std::vector<Row>{{"same", "0/1"}, {"other", "1/1"}});
  CHECK(study::table_severe(findings).rows ==
        std::vector<Row>{{"one", "1/2", "—"}, {"two", "—", "—"}});
  CHECK(study::table_families(findings).rows ==
        std::vector<Row>{{"one", "deterministic", "0.3750", "yes", "0.2000", "—"},
                         {"two", "deterministic", "—", "—", "—", "—"},
                         {"significant in", "", "", "1/1", "", "—"}});
}

TEST_CASE("the variance is over all backends, and the mean over pairs that are whole") {
  const Table table = study::table_variance(small_findings());
  // Scores 1, 1, 0.25 and 1, 1, 0.6: variances 0.125 and 0.0355..., mean of the two.
  REQUIRE(table.rows.size() == 1);
  CHECK(table.rows[0] == Row{"deterministic", "0.08028", "2"});
  CHECK(table.notes.back() == "Pairs left out, since a backend has no score there: 2.");
}

TEST_CASE("backends that score alike are joined first") {
  const Table table = study::table_clusters(small_findings());
  REQUIRE(table.rows.size() == 2);
  CHECK(table.rows[0] == Row{"one", "1", "base", "same", "0.0000"});
  CHECK(table.rows[1][3] == "(base + same)");
}

TEST_CASE("the figure has a point for each comparison with a D, with the items behind it") {
  const report::Scatter figure = study::figure_of(small_findings());
  REQUIRE(figure.points.size() == 2);
  CHECK(figure.points[1].x == 0.75);
  CHECK(figure.points[1].y == 0.75);
  CHECK(figure.points[1].title.find("30 of 40 items changed: quiz/0, quiz/1,") !=
        std::string::npos);
  CHECK(figure.points[1].title.ends_with(", ..."));
}

TEST_CASE("a comparison without a finding says what it could have found") {
  const Table table = study::table_comparisons(small_findings());
  REQUIRE(table.rows.size() == 4);
  CHECK(table.rows[0].back().starts_with("no difference found; 0."));
  CHECK(table.rows[1].back() == "not tested");
  CHECK(table.rows[2].back() == "different");
}

TEST_CASE("every table names what is there in part") {
  for (const Table& table : study::tables_of(small_findings()))
    CHECK(table.notes.back() ==
          "Partial data: quiz (40 of 100 documents); task quiz: the data is a part.");
}

TEST_CASE("warnings come first: cells, samples, reasons counted") {
  const auto warnings = study::warnings_of(small_findings());
  REQUIRE(warnings.size() == 4);
  CHECK(warnings[0] == "6 of 12 cells have results; the others are not in any table.");
  CHECK(warnings[1] == "2 cells failed (first two/base/deterministic/quiz/1): no such file");
  CHECK(warnings[2] == "quiz: a stratified sample of 40 of 100 documents (seed 42).");
  CHECK(warnings[3] == "From the runs: task quiz: the data is a part");
}

TEST_CASE("the page needs nothing from outside and spells markup out") {
  study::Findings findings = small_findings();
  findings.notes = {"<script>alert(1)</script> & more"};
  const std::string page = study::html(study::document_of(findings));
  CHECK(page.find("<script") == std::string::npos);
  CHECK(page.find("&lt;script&gt;alert(1)") != std::string::npos);
  CHECK(page.find("src=") == std::string::npos);
  CHECK(page.find("href=") == std::string::npos);
  CHECK(page.find("class=\"inside\"") != std::string::npos);
  CHECK(page.find("class=\"diagonal\"") != std::string::npos);
  for (const char* id : {"table-1", "table-7", "table-f", "figure-1", "methods", "comparisons"})
    CHECK(page.find(fmt::format("id=\"{}\"", id)) != std::string::npos);
}

TEST_CASE("the table of items has a row for each value") {
  const auto columns = study::item_columns(small_findings());
  REQUIRE(columns.size() == 13);
  CHECK(std::get<std::vector<double>>(columns[10].values).size() == 3 * 40);
  const std::string lines = study::item_lines(columns);
  CHECK(lines.substr(0, lines.find('\n')) ==
        R"({"model": "one", "backend": "base", "mode": "deterministic", "repetition": 1, )"
        R"("benchmark": "quiz", "family": "factual", "task": "quiz", "doc_id": 0, )"
        R"("cluster": "quiz", "metric": "acc", "value": 1.0, "calibrated": 1.0, "answer": ""})");
}

}  // namespace tare
