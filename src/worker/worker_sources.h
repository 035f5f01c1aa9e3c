#pragma once

#include <string>
#include <vector>

namespace tare::worker {

/// One Python file of the worker.
struct WorkerSource {
  std::string name;  ///< without ".py"
  std::string text;
};

/// In the order in which they are loaded; the first, "boot", loads the others.
const std::vector<WorkerSource>& worker_sources();

}  // namespace tare::worker
