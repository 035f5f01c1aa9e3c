#pragma once

#include <cstddef>

#include "backend/llama/schedule.h"

struct llama_model;

/// What decodes cost, to tell how far the work is. The unit is one row of a large decode that goes
/// through all layers.
namespace tare::backend::llama {

/// What a row of logits costs: weights that project it onto the vocabulary over weights that a row
/// meets in the layers. Of the model's shape alone; 0 where the metadata do not tell the shape.
double projection_cost(const llama_model& model);

/// The rows of a decode, padding included, those of its logits, and what a decode costs whatever is
/// in it. `projection`: projection_cost().
double decode_cost(const Decode& decode, std::size_t tile, double projection);

}  // namespace tare::backend::llama
