#pragma once

#include <string>
#include <vector>

#include "base/value.h"
#include "floor/findings.h"
#include "report/table.h"

namespace tare::floor {

/// A row for each setting of a file, its reference first.
report::Table settings_table(const FileFindings& file, const std::string& id);
/// A row for each file but the first, with the ratio of both floors to the distance.
report::Table pairs_table(const Findings& findings, const std::string& id);
/// All tables of numbers, whose ids are the names of their files.
std::vector<report::Table> tables_of(const Findings& findings);

/// "Noise floor of a.gguf, b.gguf".
std::string title_of(const Findings& findings);
/// One sentence a file on its floor, and one on what is pinned.
std::vector<std::string> floor_sentences(const Findings& findings);

/// What the grid found, for a terminal: warnings, verdicts with their conditions, floors, the grid.
std::string summary(const Findings& findings);
/// floor.md: the summary; then all numbers, answers, the protocol, settings and versions.
std::string markdown(const Findings& findings);
/// floor.html: the same with pictures, and the texts of the items, in one file.
std::string html(const Findings& findings);
/// floor.json (docs/formats/floor.md), a dict.
base::Value document_of(const Findings& findings);

/// How a file is computed, by the names of a grid file.
base::Value manner_value(const core::Manner& manner);

}  // namespace tare::floor
