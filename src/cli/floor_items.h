#pragma once

#include <stop_token>

#include "base/result.h"
#include "cli/floor_options.h"
#include "cli/floor_plan.h"
#include "floor/answers.h"

namespace tare::cli {

/// The settings that items are asked under, of those that run here: the ones of --item-settings,
/// else one of each kind. Error: a name that the grid does not have.
base::Result<std::vector<const PlannedSetting*>> asked_settings(const FloorPlan& plan,
                                                                const FloorOptions& options);

/// Builds the tasks once, so that what is wrong with them is found before the grid is computed.
base::Status check_items(const FloorOptions& options);

/// Asks the items of each file at the reference and under each of the settings, each in a process
/// and a folder of its own, which another call goes on with. A setting that fails is named and does
/// not hold up the others. Error: the user's wish to stop.
base::Result<floor::Answers> ask_items(const FloorPlan& plan, const FloorOptions& options,
                                       const std::stop_token& stop);

}  // namespace tare::cli
