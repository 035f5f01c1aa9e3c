#pragma once

#include <stop_token>

#include "backend/llama/context_settings.h"
#include "backend/llama/probe_work.h"
#include "base/result.h"
#include "core/invariance.h"

struct llama_model;

namespace tare::backend::llama {

/// What was found, and the class of shapes in which it was found.
struct ProbeResult {
  core::Invariance invariance;
  ShapeClass shape_class;
};

/// The settings of the two contexts in which it computes: the run's threads and decodes, with no
/// more streams than the work needs; one thread, small decodes and one stream.
ContextSettings wide_settings(ContextSettings settings, const ProbeWork& work);
ContextSettings narrow_settings(ContextSettings settings, const ProbeWork& work);

/// Computes the work in several ways in KV caches of its own, beginning with the class of shapes
/// that `settings` name, in narrower ones as long as log-likelihoods or logits differ in a bit.
/// `model` outlives the call. Errors: those of decoding; ErrorKind::interrupted.
base::Result<ProbeResult> probe(llama_model* model, const ContextSettings& settings,
                                const ProbeWork& work, const std::stop_token& stop);

}  // namespace tare::backend::llama
