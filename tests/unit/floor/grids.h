#pragma once

#include <doctest/doctest.h>

#include "floor/findings.h"
#include "floor/heat.h"

/// A grid of two files as it could be found.
namespace tare::floor::test {

inline Divergences divergences(double mean) {
  Divergences found{.positions = 512,
                    .mean = mean,
                    .median = mean,
                    .p99 = mean,
                    .most = mean,
                    .mean_change = mean,
                    .most_change = mean,
                    .same_top = 1,
                    .equal = mean == 0 ? 1.0 : 0.0};
  for (int i = 0; i < 512; ++i) found.histogram.add(mean);
  return found;
}

inline SettingFindings& row_of(FileFindings& file, const std::string& name) {
  for (SettingFindings& row : file.settings)
    if (row.setting.name == name) return row;
  FAIL("no row " << name);
  return file.reference;
}

inline const HeatRow& row_of(const HeatMap& map, const std::string& name) {
  for (const HeatRow& row : map.rows)
    if (row.name == name) return row;
  FAIL("no row " << name);
  return map.rows.front();
}

inline FileFindings file(const std::string& name, double scale) {
  FileFindings file{.name = name,
                    .sha256 = name + "'s hash",
                    .model = "llama 135M " + name,
                    .reference = {},
                    .loss = 3.5,
                    .settings = {}};
  file.reference.setting = default_reference(2);
  for (Setting& setting : default_settings(file.reference.setting, 512))
    file.settings.push_back({.setting = std::move(setting), .divergences = divergences(0)});
  row_of(file, "tier-avx").divergences = divergences(4 * scale);
  row_of(file, "flash-attention").divergences = divergences(scale);
  SettingFindings& missing = row_of(file, "tier-avx512");
  missing.divergences.reset();
  missing.state = RowState::not_available;
  missing.reason = "this CPU lacks its instructions";
  return file;
}

inline study::TaskFlips task(std::vector<study::Flip> flips) {
  study::TaskFlips task;
  task.task = "mmlu";
  task.metric = "acc";
  task.items = 10;
  task.verdicts = {.both_right = 6, .only_first = 1, .only_second = 1, .both_wrong = 2};
  task.answers_changed = 2;
  task.flips = std::move(flips);
  return task;
}

/// The first one moves a hundred times as far; the second one's SSE tier has failed.
inline Findings two_files() {
  Findings findings;
  base::Dict build, program;
  build.set("llama_cpp", "b1");
  program.set("build", std::move(build));
  findings.program = std::move(program);
  findings.machine = base::Dict();
  findings.text = base::Dict();
  findings.positions = findings.window = 512;
  findings.files = {file("a.gguf", 1e-3), file("b.gguf", 1e-5)};
  SettingFindings& failed = row_of(findings.files[1], "tier-sse42");
  failed.divergences.reset();
  failed.state = RowState::failed;
  failed.reason = "it was killed";
  findings.answers.emplace();
  findings.answers->files = {
      {"a.gguf",
       {{"tier-avx",
         "tier sandybridge",
         false,
         "",
         {task({{7, study::Change::other_wrong, "Why?", "A", "B", "C", {"B."}, {"C."}},
                {3, study::Change::lost, "Where?", "A", "A", "B", {"A."}, {"B."}}})}}}},
      {"b.gguf", {}}};
  findings.pairs = {{.file = 1, .divergences = divergences(0.05)}};
  findings.pairs[0].verdict = judge(evidence_of(findings, findings.pairs[0]));
  return findings;
}

}  // namespace tare::floor::test
