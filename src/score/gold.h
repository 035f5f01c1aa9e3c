#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/result.h"
#include "core/task.h"

namespace tare::score {

/// What lm-eval makes of a target that is none of the choices. It never matches a prediction.
inline constexpr std::int64_t kOutOfRange = -100;

/// The right choices of a document.
struct GoldChoices {
  std::vector<std::int64_t> indices;  ///< kOutOfRange for what is no choice
  bool several = false;               ///< the target is a list: any of them is right
  [[nodiscard]] bool out_of_range() const;
};

/// Reads a document's target: an index, the text of a choice, or a list of indices; in
/// multiple-input mode the index that doc_to_text gave. As in lm-eval, the first document decides
/// whether targets are lists. Error: a target of another kind, naming the document.
base::Result<GoldChoices> gold_choices(const core::BuiltTask& task, std::size_t document);

}  // namespace tare::score
