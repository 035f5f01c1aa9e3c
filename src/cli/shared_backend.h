#pragma once

#include <memory>
#include <string>

#include "base/result.h"
#include "cli/prepare.h"
#include "cli/run_options.h"

namespace tare::cli {

/// Keeps a model open for the runs that follow, as long as they open it with the same options.
class KeptBackend {
 public:
  /// What open_backend() gives, or the model that is open already.
  base::Result<OpenedBackend> open(const RunOptions& options);
  /// The next run opens it anew.
  void close() { backend_.reset(); }

 private:
  std::string key_;
  std::shared_ptr<backend::Backend> backend_;
  std::vector<core::Warning> warnings_;
};

}  // namespace tare::cli
