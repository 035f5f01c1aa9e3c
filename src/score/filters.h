#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "core/document.h"
#include "core/functions.h"
#include "core/task.h"

/// Filter pipelines: what turns the raw responses to each request into the value that is scored
/// (lm-eval 0.4.13, lm_eval/filters).
namespace tare::score {

/// The names of all filters.
std::vector<std::string> filter_names();

/// Refused before anything runs: a name that is unknown, an argument that the filter does not take
/// or cannot use, a regular expression that does not compile, a !function that nobody knows.
base::Status check_filter(const core::FilterStep& step, const core::Functions* functions);

/// `responses` has one entry a request: the list of its answers. Each answer is a str, or for
/// log-likelihood tasks a tuple (float, bool). `documents` has the document of each request. The
/// result has one entry a request: whatever the last step made of it, so a chain without take_first
/// leaves lists. As in lm-eval a step that expects a list takes a str as the list of its
/// characters.
base::Result<std::vector<base::Value>> apply_pipeline(const core::FilterPipeline& pipeline,
                                                      std::vector<base::Value> responses,
                                                      std::span<const core::Document> documents,
                                                      core::Functions* functions);

}  // namespace tare::score
