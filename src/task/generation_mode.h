#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/value.h"
#include "core/request.h"

namespace tare::task {

/// Everything about how answers are generated but the stop strings, under a name
/// (docs/guide/generation-modes.md).
struct GenerationMode {
  std::string_view name;
  core::GenerationParameters parameters = core::GenerationParameters::given;
  base::Value arguments;  ///< what is given, as generation_kwargs; a dict
};

/// deterministic, fix, token256 and default.
const std::vector<GenerationMode>& generation_modes();

/// Null if there is none of that name.
const GenerationMode* find_generation_mode(std::string_view name);

/// A task's generation_kwargs (a dict) under a mode: its stop strings, and what the mode gives.
base::Value mode_arguments(const GenerationMode& mode, const base::Value& arguments);

/// The same with the mode's name, for the record: what is not in it was left to the backend.
base::Value named_arguments(const GenerationMode& mode, base::Value arguments);

}  // namespace tare::task
