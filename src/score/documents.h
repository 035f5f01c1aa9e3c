#pragma once

#include <span>
#include <vector>

#include "base/result.h"
#include "core/functions.h"
#include "core/request.h"
#include "core/score.h"
#include "core/task.h"
#include "score/check.h"

namespace tare::score {

/// One filter pipeline over the responses, then the metrics of each document. Documents with a
/// failed request have none, nor have those that the filter or a metric cannot take: the answers
/// have cost too much to be lost with them.
core::FilterScore score_documents(const core::BuiltTask& task, const Scoring& scoring,
                                  const core::FilterPipeline& pipeline,
                                  std::span<const core::Response> responses,
                                  core::Functions* functions);

/// Whether all answers to the requests of a document are there.
bool answered(const core::BuiltTask& task, core::Range requests,
              std::span<const core::Response> responses);

}  // namespace tare::score
