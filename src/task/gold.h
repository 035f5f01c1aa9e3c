#pragma once

#include "base/result.h"
#include "core/task.h"
#include "task/doc_field.h"

namespace tare::task {

/// What the first document of the split decides for all others.
struct Shape {
  bool multiple_input = false;   ///< doc_to_text gave an index: the choices are the inputs
  bool multiple_target = false;  ///< doc_to_target gave a list
};

/// Also makes lm-eval's own check of the first document: its choices are not empty.
base::Result<Shape> shape_of(const Question& first, const Place& place);

/// The right answer of a multiple-choice document. An index out of range, a text that is none of
/// the choices, and a kind other than the first document's are errors: scored, they could only ever
/// count as wrong.
base::Result<core::Gold> choice_gold(const Question& question, const Shape& shape,
                                     const Place& place);

/// The text to be continued with, of a loglikelihood document.
base::Result<core::Gold> text_gold(const Question& question, const Place& place);

/// What a generated answer is compared with: the target, or of a task with choices the choice that
/// the target names.
base::Result<core::Gold> answer_gold(const Question& question, const Place& place);

/// Target and choices as they are, for a task that scores by its own function.
core::Gold free_gold(const Question& question);

}  // namespace tare::task
