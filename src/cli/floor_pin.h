#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "cli/floor_options.h"
#include "core/pin.h"
#include "floor/setting.h"

/// Pins and the noise floor: a pin's settings as the reference, and the reference as a pin.
namespace tare::cli {

/// How a pin has a file computed, of what is not its business a reference's default: one sequence
/// and no kept prefix, since `tare run` lets neither move an answer.
floor::Setting reference_of(const core::Pin& pin, std::size_t threads);

/// All that --pinned takes.
std::vector<std::string> pinnable_names();
/// Those of them that a pin leaves no choice of.
std::vector<std::string> pinned_by_a_pin();

/// The pin that has `tare run` compute as the setting says. Error: a pin cannot say that.
base::Result<core::Pin> pin_of(const floor::Setting& setting);

}  // namespace tare::cli
