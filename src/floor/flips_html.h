#pragma once

#include <string>

#include "floor/answers.h"
#include "report/table.h"

/// The items that were not answered alike, so that a reader sees what moved.
namespace tare::floor {

/// A line for each item, without its prompt; of many the first ones, with the number of all.
report::Table flips_table(const Answers& answers, const std::string& id);

/// Each setting's items with prompt, answers and outputs, folded.
std::string flips_html(const Answers& answers);

}  // namespace tare::floor
