#pragma once

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "core/request.h"
#include "core/run_record.h"
#include "report/data_page.h"
#include "store/read_facts.h"
#include "store/read_items.h"
#include "store/read_run.h"

/// Finished runs as a page for people: what they scored, and each item with what was asked and
/// answered.
namespace tare::study {

/// The bytes of a token.
using Pieces = std::function<std::string(core::Token)>;

/// A finished run as its folder holds it, without its items.
struct ShownRun {
  std::string folder;
  core::RunRecord record;
  store::RunFacts facts;
  std::map<std::string, store::CountedDocuments> documents;  ///< of each task
  bool samples_kept = false;                                 ///< of some task
  Pieces pieces;                                             ///< empty: not known
  std::string pieces_note;                                   ///< why not
};

/// The items of a task in each run; none where a run has no samples of it.
using ItemsByRun = std::vector<std::optional<std::vector<store::SampledItem>>>;

/// Builds the page of one or more runs, task by task, so that the items of a task can be forgotten
/// before those of the next are read. The first run is the baseline.
class RunPage {
 public:
  explicit RunPage(std::span<const ShownRun> runs, std::string version);
  /// Names in the order of the runs, each once.
  [[nodiscard]] std::vector<std::string> tasks() const;
  void add(const std::string& task, const ItemsByRun& items);
  /// To be called once, after all tasks.
  [[nodiscard]] report::DataPage finish();

 private:
  [[nodiscard]] base::Value scores(std::size_t run, const std::string& task,
                                   const std::optional<std::vector<store::SampledItem>>& items);
  [[nodiscard]] std::vector<Pieces> fitting_pieces(
      const std::string& task, const std::vector<std::vector<const store::SampledItem*>>& rows);
  std::span<const ShownRun> runs_;
  std::string version_;
  std::vector<std::string> parts_;
  base::List tasks_;
  std::vector<core::Warning> sample_warnings_;  ///< about samples that are not the results'
  std::vector<core::Warning> warnings_;         ///< about what does not fit together
};

}  // namespace tare::study
