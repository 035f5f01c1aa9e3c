#include "run/probe.h"

#include <utility>
#include <vector>

namespace tare::run {
namespace {

constexpr std::size_t kTokens = 512;  ///< that requests to score have together, about

std::vector<backend::ScoreItem> some_to_score(std::span<const plan::EncodedRequest> requests) {
  std::vector<backend::ScoreItem> items;
  std::size_t tokens = 0;
  for (std::size_t i = 0; i < requests.size() && tokens < kTokens; ++i) {
    const plan::EncodedRequest& request = requests[i];
    if (request.skipped || request.tokens.empty() || request.generates()) continue;
    items.push_back({i, request.tokens, request.first_scored});
    tokens += request.tokens.size();
  }
  return items;
}

/// One is enough: its tokens are cut into pieces.
std::vector<backend::GenerateItem> one_to_continue(std::span<const plan::EncodedRequest> requests,
                                                   std::span<const core::BuiltTask> tasks) {
  for (std::size_t i = 0; i < requests.size(); ++i) {
    const plan::EncodedRequest& request = requests[i];
    if (request.skipped || request.tokens.empty() || !request.generates()) continue;
    return {{i, request.tokens, &tasks[request.task].generation, request.seed}};
  }
  return {};
}

}  // namespace

base::Result<core::Invariance> probe(std::span<const plan::EncodedRequest> requests,
                                     std::span<const core::BuiltTask> tasks,
                                     backend::Backend& backend, std::stop_token stop) {
  return backend.probe(some_to_score(requests), one_to_continue(requests, tasks), std::move(stop));
}

}  // namespace tare::run
