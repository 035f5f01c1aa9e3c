#pragma once

#include <memory>
#include <vector>

#include "backend/backend.h"
#include "base/result.h"
#include "store/find_run.h"
#include "store/read_items.h"

namespace tare::cli {

/// The model of a finished run, opened as the run opened it, to be asked for the log-probabilities
/// of single tokens, of which samples hold the sums alone.
class TokenScores {
 public:
  /// Errors: the run is none of a GGUF model, its journal or its model file is not there.
  static base::Result<TokenScores> open(const store::RunFiles& files);
  /// Fills ItemAnswer::log_probabilities where a text was scored whole. Each token is asked for by
  /// itself: one scored token of a sequence that has the others before it.
  base::Status add_to(std::vector<store::SampledItem>& items);

 private:
  explicit TokenScores(std::unique_ptr<backend::Backend> backend) : backend_(std::move(backend)) {}
  base::Status ask(std::vector<store::ItemAnswer*> answers);

  std::unique_ptr<backend::Backend> backend_;
};

}  // namespace tare::cli
