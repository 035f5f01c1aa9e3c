#pragma once

#include <string>
#include <vector>

#include "report/scatter.h"
#include "report/table.h"
#include "study/findings.h"

namespace tare::study {

/// A study as it is read.
struct Document {
  std::string title;
  std::vector<std::string> warnings;  ///< what a reader must know before the numbers
  std::string methods;                ///< one paragraph to paste into a paper
  std::vector<std::string> checks;    ///< of the numbers themselves
  std::vector<report::Table> tables;
  report::Scatter figure;
};

Document document_of(const Findings& findings);

/// Failed cells with their reasons, cells that were not run, sampled data, documents without a
/// score, answers that could not be read, prompts that differ, and what the runs warned of.
std::vector<std::string> warnings_of(const Findings& findings);

/// Which backends in which exact versions, modes with their parameters, data, repetitions and
/// statistics were used.
std::string methods_of(const Findings& findings);

/// The whole document; `figure` is the name of the file that holds the picture.
std::string markdown(const Document& document, const std::string& figure);
/// One file that needs nothing else.
std::string html(const Document& document);
/// All tables, for \input.
std::string latex(const Document& document);

}  // namespace tare::study
