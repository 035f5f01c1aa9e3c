#pragma once

#include "study/parity_fault.h"

namespace tare::study {

/// Where two prompts that are not the same part, with a few tokens or characters around it.
Difference first_difference(const Asked& left, const Asked& right);

}  // namespace tare::study
