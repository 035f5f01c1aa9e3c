#include "store/hashes.h"

#include "base/hash.h"
#include "base/json.h"
#include "base/python.h"
#include "store/results.h"

namespace tare::store {

DocumentHashes hash_document(const core::BuiltTask& task, std::size_t document,
                             core::Range requests) {
  base::json::Style indented;
  indented.indent = 2;
  const bool asked = requests.size() > 0;
  return {base::sha256_hex(base::json::dump(task.documents[document], indented)),
          base::sha256_hex(asked ? task.requests[requests.first].context : std::string()),
          base::sha256_hex(base::python::str(task.golds[document].target))};
}

std::string task_hash(const core::BuiltTask& task) {
  base::Sha256 all;
  const auto ranges = core::request_ranges(task);
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    const DocumentHashes hashes = hash_document(task, i, ranges[i]);
    all.update(hashes.document);
    all.update(hashes.prompt);
    all.update(hashes.target);
  }
  return all.hex();
}

}  // namespace tare::store
