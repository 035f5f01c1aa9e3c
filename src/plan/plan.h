#pragma once

#include <cstddef>
#include <vector>

#include "core/run_record.h"
#include "plan/encode.h"

namespace tare::plan {

/// What will be computed, in which order, and what that costs.
struct Plan {
  std::vector<EncodedRequest> requests;  ///< in the order of the tasks: results go back by position
  std::vector<std::size_t> order;        ///< positions of those to score, skipped ones left out
  std::vector<std::size_t> generations;  ///< positions of those to generate from
  core::TokenCounts tokens;              ///< of all requests
  std::size_t longest = 0;               ///< tokens of the longest request
};

/// Orders the work so that requests with a common prefix stand together: depth first through the
/// tree of their tokens. The subtree that holds the longest request comes first, so that memory
/// runs out at the start or never.
Plan make_plan(std::vector<EncodedRequest> requests);

/// The input tokens that each request in a depth-first order adds to those before it: what it does
/// not share with any of them.
std::vector<std::size_t> unique_steps(const std::vector<EncodedRequest>& requests,
                                      const std::vector<std::size_t>& order);

/// Sets the counts of tokens and the longest request to what the two orders ask for.
void count_tokens(Plan& plan);

}  // namespace tare::plan
