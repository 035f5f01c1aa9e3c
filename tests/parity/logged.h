#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/value.h"
#include "core/run_record.h"

/// Tasks and answers read back from what lm-eval logged.
namespace tare::test {

/// The lines of a JSON-lines file; a broken file fails the test.
std::vector<base::Value> json_lines(const std::filesystem::path& file);

/// The file of the folder whose name starts so; none fails the test.
std::filesystem::path find_file(const std::filesystem::path& folder, const std::string& start);

/// One logged document, whichever of the two kinds of file it comes from.
struct Logged {
  std::size_t doc_id = 0;
  base::Value document;                    ///< a dict, empty where it was not logged
  std::string target;                      ///< str() of it
  std::vector<std::string> contexts;       ///< empty texts where they were not logged
  std::vector<std::string> continuations;  ///< of each request
  base::Value resps;
  std::vector<std::string> metrics;  ///< names
};

Logged from_samples(const base::Value& line);  ///< of a samples_<task>.jsonl
Logged from_golden(const base::Value& line);   ///< an item of ../shared/golden

/// The task as it must have been, with lm-eval's answers: metrics with their default aggregations,
/// choices from the continuations without the one delimiter. Not scored yet.
core::TaskRecord rebuild(const std::string& name, core::OutputType type,
                         const std::vector<Logged>& logged);

/// A samples file's lines without tare's own block, which must be the last entry of each.
std::string without_own_block(const std::string& lines);

}  // namespace tare::test
