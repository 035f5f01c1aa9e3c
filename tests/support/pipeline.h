#pragma once

#include "base/value.h"
#include "core/task.h"

namespace tare::test {

/// The steps of a filter pipeline from [[name, arguments], ...].
inline core::FilterPipeline pipeline_of(const base::Value& steps) {
  core::FilterPipeline pipeline;
  for (const base::Value& step : steps.items())
    pipeline.steps.push_back({step.items()[0].as_string(), step.items()[1], std::nullopt});
  return pipeline;
}

}  // namespace tare::test
