#pragma once

#include <optional>
#include <string>

#include "backend/llama/llama_backend.h"

namespace tare::backend::llama {

/// "tile 8", "tile 16, grain 8", "one sequence at a time".
std::string class_name(const ShapeClass& shape);

/// The next narrower class: the grain of a whole tile, then the next of the tiles 8, 16 and 32,
/// then one sequence at a time; nothing behind that.
std::optional<ShapeClass> narrower(ShapeClass shape);

}  // namespace tare::backend::llama
