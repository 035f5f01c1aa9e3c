#pragma once

#include <cstddef>
#include <string>

#include "core/task.h"

namespace tare::store {

/// What lm-eval 0.4.13 hashes of each document: SHA-256 in hexadecimal of UTF-8 text.
struct DocumentHashes {
  std::string document;  ///< of json.dumps(doc, indent=2, ensure_ascii=False)
  std::string prompt;    ///< of the first request's first argument: its context, or rolling text
  std::string target;    ///< of str(target)
};

DocumentHashes hash_document(const core::BuiltTask& task, std::size_t document,
                             core::Range requests);

}  // namespace tare::store
