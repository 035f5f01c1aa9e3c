#pragma once

#include <string>

#include "base/value.h"
#include "cli/command.h"
#include "study/parity.h"

namespace tare::cli {

/// The report for people.
std::string parity_text(const study::ParityReport& report, const study::Side& left,
                        const study::Side& right);

/// The same as a document (docs/formats/parity.md).
base::Value parity_value(const study::ParityReport& report, const study::Side& left,
                         const study::Side& right);

/// Compares, prints, and tells by the exit code whether both sides ask the same.
ExitCode print_parity(const study::Side& left, const study::Side& right, bool json);

}  // namespace tare::cli
