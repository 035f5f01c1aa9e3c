#pragma once

#include <string>
#include <vector>

#include "base/value.h"
#include "floor/findings.h"
#include "report/table.h"

namespace tare::floor {

/// A row for each setting of a file, its reference first.
report::Table settings_table(const FileFindings& file, const std::string& id);
/// The two files against each other, with the floor of each and the ratio.
report::Table pair_table(const Findings& findings, const std::string& id);
/// All of them.
std::vector<report::Table> tables_of(const Findings& findings);

/// One sentence a file on its floor, and one on the verdict.
std::vector<std::string> sentences_of(const Findings& findings);

/// floor.md: what was scored, warnings, sentences, tables.
std::string markdown(const Findings& findings);
/// floor.json (docs/formats/floor.md), a dict.
base::Value document_of(const Findings& findings);

/// How a file is computed, by the names of a grid file.
base::Value manner_value(const core::Manner& manner);

}  // namespace tare::floor
