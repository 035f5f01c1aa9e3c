#pragma once

#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "base/process.h"
#include "base/result.h"
#include "cli/command.h"

namespace tare::cli {

/// The word by which this program starts itself as the process that does a study's runs.
inline constexpr const char* kStudyWorker = "--study-worker";

/// Does runs whose words come in over descriptor 3, one after the other, with a model that stays
/// open. Ends when the other side closes.
ExitCode study_worker();

/// How a run ended.
struct RunOutcome {
  ExitCode code = kDone;
  std::string reason;  ///< why it has no results; "" if it has
};

/// Runs in a process of their own, so that one that takes its process with it costs no other.
class RunProcess {
 public:
  /// `words` are those behind `tare run`. A process that died is started anew by the next call.
  /// Error: the user stopped it, or no process can be started.
  base::Result<RunOutcome> run(const std::vector<std::string>& words, const std::stop_token& stop);

 private:
  std::unique_ptr<base::Process> process_;
};

}  // namespace tare::cli
