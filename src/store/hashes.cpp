#include "store/hashes.h"

#include <algorithm>
#include <string_view>

#include "base/hash.h"
#include "base/json.h"
#include "base/python.h"
#include "store/results.h"

namespace tare::store {

DocumentHashes hash_document(const core::BuiltTask& task, std::size_t document,
                             core::Range requests) {
  base::json::Style indented;
  indented.indent = 2;
  std::string_view prompt;
  if (requests.size() > 0) {
    const core::Request& first = task.requests[requests.first];
    const bool rolling = task.output_type == core::OutputType::loglikelihood_rolling;
    prompt = rolling ? first.continuation : first.context;
  }
  return {base::sha256_hex(base::json::dump(task.documents[document], indented)),
          base::sha256_hex(prompt),
          base::sha256_hex(base::python::str(task.golds[document].target))};
}

std::string task_hash(const core::BuiltTask& task) {
  std::string once;
  const auto ranges = core::request_ranges(task);
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    const DocumentHashes hashes = hash_document(task, i, ranges[i]);
    once += hashes.document + hashes.prompt + hashes.target;
  }
  base::Sha256 all;
  for (std::size_t i = 0; i < std::max<std::size_t>(task.filters.size(), 1); ++i) all.update(once);
  return all.hex();
}

}  // namespace tare::store
