#include "floor/findings.h"

#include <doctest/doctest.h>

#include "base/json.h"
#include "floor/report.h"

namespace tare::floor {
namespace {

Divergences divergences(double mean, double equal) {
  return {.positions = 512,
          .mean = mean,
          .median = mean,
          .p99 = mean,
          .most = mean,
          .mean_change = mean,
          .most_change = mean,
          .same_top = 1,
          .equal = equal};
}

FileFindings file(const std::string& name) {
  FileFindings file{
      .name = name, .sha256 = name, .model = "", .reference = {}, .loss = 3.5, .settings = {}};
  file.reference.setting = default_reference(2);
  for (Setting& setting : default_settings(file.reference.setting, 512))
    file.settings.push_back({.setting = std::move(setting)});
  return file;
}

SettingFindings& row(FileFindings& file, const std::string& name) {
  for (SettingFindings& row : file.settings)
    if (row.setting.name == name) return row;
  FAIL("no row " << name);
  return file.reference;
}

Findings findings() {
  Findings findings;
  findings.positions = findings.window = 512;
  findings.files = {file("a"), file("b")};
  row(findings.files[0], "rerun").divergences = divergences(0, 1);
  row(findings.files[0], "tier-avx").divergences = divergences(0.004, 0);
  row(findings.files[0], "flash-attention").divergences = divergences(0.002, 0.25);
  row(findings.files[1], "rerun").divergences = divergences(0, 1);
  findings.pairs = {{.file = 1, .divergences = divergences(0.005, 0)}};
  findings.pairs[0].verdict = judge(evidence_of(findings, findings.pairs[0]));
  return findings;
}

}  // namespace

TEST_CASE("the floor is the greatest divergence of settings that are not pinned") {
  const Findings all = findings();
  CHECK(floor_of(all.files[0], {})->divergence == 0.004);
  CHECK(floor_of(all.files[0], {})->setting == "tier-avx on a");
  CHECK(floor_of(all.files[0], {"tier"})->divergence == 0.002);
  CHECK(floor_of(all.files[0], factor_names())->divergence == 0);
  CHECK(floor_of(all.files[1], {})->setting == "rerun on b");
  CHECK_FALSE(floor_of(file("c"), {}));
  CHECK(*ratio_to_pair(*floor_of(all.files[0], {}), all.pairs[0]) == doctest::Approx(0.8));
}

TEST_CASE("what failed, is missing or moved where it must not is a warning") {
  Findings all = findings();
  CHECK(warnings_of(all).empty());
  CHECK_FALSE(has_failures(all));
  row(all.files[0], "tier-avx512").state = RowState::not_available;
  row(all.files[0], "tier-avx512").reason = "this CPU lacks its instructions";
  CHECK_FALSE(has_failures(all));
  row(all.files[1], "ubatch-1").state = RowState::failed;
  row(all.files[1], "ubatch-1").reason = "it was killed";
  row(all.files[1], "threads-1").divergences = divergences(1e-7, 0.5);
  CHECK(has_failures(all));
  const auto warnings = warnings_of(all);
  REQUIRE(warnings.size() == 3);
  CHECK(warnings[0] == "tier-avx512 is not available: this CPU lacks its instructions");
  CHECK(warnings[1].starts_with("b: threads-1 should be equal bit for bit, and only 50.0 %"));
  CHECK(warnings[2] == "b: ubatch-1 failed: it was killed");
}

TEST_CASE("the table has a row for each setting, and says why there is no number") {
  Findings all = findings();
  row(all.files[0], "tier-sse42").state = RowState::failed;
  row(all.files[0], "tier-sse42").reason = "it ended";
  const report::Table table = settings_table(all.files[0], "t");
  CHECK(table.rows.size() == 1 + all.files[0].settings.size());
  for (const auto& cells : table.rows) CHECK(cells.size() == table.headers.size());
  CHECK(table.rows[1][0] == "rerun");
  CHECK(table.rows[1][2] == "100 %");
  CHECK(table.rows[1][3] == "0");
  const std::string text = markdown(all);
  CHECK(text.find("| tier-sse42 | tier sse42 | — | — |") != std::string::npos);
  CHECK(text.find("| failed: it ended |") != std::string::npos);
  CHECK(text.find("| b | a | 0.0 % | 5.00e-03 |") != std::string::npos);
  CHECK(text.find("| 0.80 | 0.00 | undecided |") != std::string::npos);
  CHECK(text.find("> Warning: a: tier-sse42 failed: it ended") != std::string::npos);
}

TEST_CASE("the document has the numbers of the table, and null where there is none") {
  const base::Value document = document_of(findings());
  const base::Value& first = document.find("files")->items()[0];
  CHECK(first.find("floor")->find("mean_kl_nats")->as_number() == 0.004);
  const auto& rows = first.find("settings")->items();
  CHECK(rows[0].find("divergence")->find("bitwise_equal")->as_bool());
  CHECK(rows[2].find("divergence")->is_none());
  CHECK(rows[2].find("manner")->find("ubatch")->as_int() == 1);
  const base::Value& pair = document.find("pairs")->items()[0];
  CHECK(pair.find("verdict")->find("judgement")->as_string() == "undecided");
  CHECK(pair.find("floor_ratios")->items()[0].as_number() == doctest::Approx(0.8));
  CHECK(base::json::parse(base::json::dump(document)).has_value());
}

}  // namespace tare::floor
