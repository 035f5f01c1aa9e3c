#pragma once

#include <string_view>

#include "cli/model_spec.h"

namespace tare::cli {

/// True for a model argument that says how a backend is asked and changes no answer: how long is
/// waited, how often it is tried, how much at once.
bool is_manner(std::string_view scheme, std::string_view name);

/// The model without such arguments, so that equal answers make equal results.
ModelSpec without_manner(const ModelSpec& model);

}  // namespace tare::cli
