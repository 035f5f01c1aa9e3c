#pragma once

#include <filesystem>
#include <span>
#include <string>

#include "base/result.h"
#include "base/value.h"

namespace tare::core {

/// A Python function or class that a task's YAML names with !function. What it is is told by the
/// content of its file, so that an edited helper is never taken for the known one.
struct FunctionRef {
  std::string name;              ///< as written: "utils.process_docs"
  std::filesystem::path folder;  ///< of the YAML file in which it is written
  std::filesystem::path file;    ///< the helper file; empty if there is none beside the YAML
  std::string sha256;            ///< of that file's bytes; "" without one

  /// The last part of the name: "process_docs".
  [[nodiscard]] std::string function() const { return name.substr(name.rfind('.') + 1); }
};

/// What a function is used for decides its arguments and its result.
enum class FunctionUse {
  documents,       ///< process_docs: (list of documents) -> list of documents
  document_field,  ///< doc_to_text, doc_to_target, doc_to_choice, gen_prefix: (document) -> value
  results,         ///< process_results: (document, list of filtered responses) -> dict of metrics
  metric,          ///< (list of references, list of predictions, dict of arguments) -> value
  aggregation,     ///< (list of per-document values) -> number
  filter,          ///< (list of lists of responses, list of documents, dict of arguments) -> list
  samples,         ///< fewshot_config.samples: () -> list of documents
  custom_dataset,  ///< (dict of arguments) -> dict of split name to list of documents
};

/// Runs functions: the native twins of well-known helpers, or a Python process.
class Functions {
 public:
  virtual ~Functions() = default;
  [[nodiscard]] virtual bool knows(const FunctionRef& function, FunctionUse use) const = 0;
  /// Errors name the function and what went wrong in it.
  virtual base::Result<base::Value> call(const FunctionRef& function, FunctionUse use,
                                         std::span<const base::Value> arguments) = 0;
};

}  // namespace tare::core
