#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/value.h"
#include "core/score.h"
#include "store/find_run.h"

namespace tare::store {

/// What a finished run says of itself beside its scores.
struct RunFacts {
  std::string spelling;  ///< --model as given
  std::string model_name;
  std::string weights_sha256;  ///< "" if not known
  std::string backend;         ///< name and
  std::string version;         ///< exact version
  base::Value backend_settings;
  base::Value generation_defaults;              ///< none: the backend could not be asked
  base::Value machine;                          ///< of execution.json
  std::string build;                            ///< tare's version
  std::vector<core::Warning> warnings;          ///< of the run and of its tasks
  std::size_t failed_documents = 0;             ///< without metrics, of all tasks
  std::map<std::string, std::size_t> failures;  ///< requests without an answer, by reason
  double load_seconds = 0;                      ///< of the model
  double score_seconds = 0;                     ///< asking it
  std::size_t asked = 0;                        ///< answers that the model gave in this time
};

/// Error: no finished run, or a file that is none of its results. What a file does not say is
/// empty.
base::Result<RunFacts> read_facts(const RunFiles& files);

/// The same of a folder that tare wrote.
base::Result<RunFacts> read_facts(const std::filesystem::path& folder);

}  // namespace tare::store
