#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/score.h"
#include "core/task.h"
#include "task/task.h"

/// What a look at a whole task brings up.
namespace tare::task {

/// Faults that differ in nothing but the document and numbers.
struct FaultKind {
  std::string text;  ///< of the first, as an error is told
  std::size_t count = 0;
  std::vector<std::size_t> doc_ids;  ///< of the first few
};

/// In the order in which they came up.
std::vector<FaultKind> fault_kinds(const std::vector<Fault>& faults);

/// What is allowed but hardly meant: equal choices, empty targets, one and the same right choice
/// everywhere, a document among its own few-shot examples, very few documents. One warning a kind,
/// with its count and the first documents.
std::vector<core::Warning> findings(const core::BuiltTask& task);

}  // namespace tare::task
