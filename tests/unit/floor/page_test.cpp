#include <doctest/doctest.h>

#include "floor/distribution.h"
#include "floor/flips_html.h"
#include "floor/report.h"
#include "unit/floor/grids.h"

namespace tare::floor {
namespace {

bool holds(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

std::size_t count(const std::string& text, std::string_view part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++found;
  return found;
}

/// Two files whose names, reasons and items try to be HTML.
Findings hostile() {
  Findings findings = test::two_files();
  const std::string attack = "<script>alert(1)</script>\"'&";
  findings.files[0].name = attack;
  findings.files[0].model = attack;
  test::row_of(findings.files[0], "tier-avx512").reason = attack;
  auto& setting = findings.answers->files[0].settings[0];
  findings.answers->files[0].name = attack;
  setting.name = attack;
  setting.tasks[0].task = attack;
  setting.tasks[0].flips = {
      {1, study::Change::lost, attack + "\u202E", attack, attack, "\u2069\u202E", {attack}, {}},
      {2, study::Change::output, std::string(1 << 20, '<'), "", "", "", {"\xff\x01"}, {"&amp;"}}};
  return findings;
}

}  // namespace

TEST_CASE("the page begins with warnings and the verdict, and ends with versions") {
  const std::string page = html(test::two_files());
  const std::vector<std::string> order{"<h1>Noise floor of a.gguf, b.gguf</h1>",
                                       "<h2>Warnings</h2>",
                                       "b.gguf against a.gguf",
                                       "aria-hidden=\"true\">✓</span>a: KL(A‖B) 5.00e-02",
                                       "aria-hidden=\"true\">?</span>b: ",
                                       "<section id=\"heat\">",
                                       "<section id=\"mechanism\">",
                                       "<section id=\"distributions\">",
                                       "<section id=\"answers-1\">",
                                       "<section id=\"flips\">",
                                       "<section id=\"protocol\">",
                                       "<section id=\"numbers\">",
                                       "<section id=\"program\">",
                                       "a.gguf&#39;s hash"};
  std::size_t at = 0;
  for (const std::string& part : order) {
    CAPTURE(part);
    const std::size_t next = page.find(part, at);
    CHECK(next != std::string::npos);
    if (next != std::string::npos) at = next;
  }
  CHECK(count(page, "<details") == count(page, "</details>"));
  CHECK(count(page, "<section") == count(page, "</section>"));
}

TEST_CASE("the page loads nothing") {
  const std::string page = html(test::two_files());
  CHECK(holds(page, "default-src 'none'"));
  for (const char* part : {"http://", "https://", "<script", " src=", "url(", "@import"})
    CHECK_FALSE(holds(page, part));
}

TEST_CASE("texts of others are texts") {
  const std::string page = html(hostile());
  CHECK_FALSE(holds(page, "<script"));
  CHECK_FALSE(holds(page, "\u202E"));
  CHECK_FALSE(holds(page, "\u2069"));
  CHECK(holds(page, "⟨U+202E⟩"));
  CHECK(holds(page, "20000 of 1048576 characters are shown."));
  CHECK(page.size() < 500'000);
  CHECK_FALSE(holds(report::markdown(flips_table(*hostile().answers, "f")), "<script"));
}

TEST_CASE("items come with the worst change first, and no more than can be read") {
  Findings findings = test::two_files();
  const std::string few = flips_html(*findings.answers);
  CHECK(few.find("mmlu 3") < few.find("mmlu 7"));
  CHECK(holds(few, "2 of 10 answers changed: 1 right to wrong, 1 wrong to right"));
  auto& flips = findings.answers->files[0].settings[0].tasks[0].flips;
  flips.resize(150, flips[0]);
  const std::string many = flips_html(*findings.answers);
  CHECK(holds(many, "100 of 150 items; all are in flips.jsonl."));
  CHECK(count(many, "class=\"flip\"") == 100);
  flips.clear();
  CHECK(holds(flips_html(*findings.answers), "All items were answered alike."));
}

TEST_CASE("a distribution counts positions by decade, on one axis for all") {
  const report::Table table = distribution_table(test::two_files(), "d");
  CHECK(table.headers ==
        std::vector<std::string>{"File", "Setting", "0", "1e-5", "1e-4", "1e-3", "1e-2"});
  for (const auto& row : table.rows) {
    CHECK(row.size() == table.headers.size());
    if (row[1] == "tier-avx" && row[0] == "a.gguf")
      CHECK(row == std::vector<std::string>{"a.gguf", "tier-avx", "0", "0", "0", "512", "0"});
    if (row[1] == "rerun") CHECK(row[2] == "512");
  }
  CHECK(table.rows.back()[1] == "against a.gguf");
  CHECK(holds(distributions_html(test::two_files()),
              "aria-label=\"rerun of a.gguf: 512 of 512 positions 0, median 0, "));
}

TEST_CASE("a grid in which nothing was compared has a page too") {
  Findings findings = test::two_files();
  for (FileFindings& file : findings.files)
    for (SettingFindings& row : file.settings) row.divergences.reset();
  findings.pairs[0].divergences.reset();
  findings.pairs[0].reason = "no room";
  findings.answers.reset();
  CHECK(holds(html(findings), "no floor, since no setting was compared"));
  CHECK(holds(markdown(findings), "b.gguf was not compared with a.gguf: no room"));
}

}  // namespace tare::floor
