#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "compare/pairing.h"
#include "core/run_record.h"

/// What two runs of one task have unlike, added to the differences of the pair.
namespace tare::compare {

/// Two sides of one task.
struct TaskPair {
  const Side& first;
  const Side& second;
  const core::TaskRecord& before;
  const core::TaskRecord& after;

  [[nodiscard]] const std::string& name() const { return before.task.name; }
};

/// "SUBJECT one in A, other in B".
std::string in_both(const TaskPair& task, const std::string& subject, const std::string& one,
                    const std::string& other);

void add(PairedRuns& paired, Mismatch mismatch, const std::string& task, std::string text,
         std::vector<std::string> causes = {});

/// The task's version, and settings by which it is answered.
void check_conditions(const TaskPair& task, PairedRuns& paired);
/// Documents that one run alone was asked, with the first of them.
base::Status check_documents(const TaskPair& task, const std::vector<Match>& matches,
                             PairedRuns& paired);
/// Prompts and targets that differ though the document is the same.
base::Status check_hashes(const TaskPair& task, const std::vector<Match>& matches,
                          PairedRuns& paired);
/// Of the documents that both were asked those without an answer of a filter.
void check_filter(const TaskPair& task, const std::vector<Match>& matches, const Lines& lines,
                  const std::string& filter, PairedRuns& paired);

}  // namespace tare::compare
